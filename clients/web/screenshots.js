/** Writes screenshots/: values on a desktop in light, and a review on a phone in dark. The fonts are those of the machine. */

import { fileURLToPath } from "node:url";

import { start } from "./browser.js";

const SHOTS = {
  desktop: { link: "#fastest/X/1/perfect/1", look: "[role=switch]", viewport: { width: 1280, height: 800 }, colorScheme: "light" },
  phone: { link: "#standard/X/1284", look: "[name=step][value='3']", viewport: { width: 390, height: 844 }, colorScheme: "dark" },
};

const { open, close } = await start();
for (const [name, { link, look, ...options }] of Object.entries(SHOTS)) {
  const page = await open(link, options);
  await page.locator(look).check();
  await page.screenshot({ path: fileURLToPath(new URL(`screenshots/${name}.png`, import.meta.url)) });
}
await close();
