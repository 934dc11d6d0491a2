/** Writes screenshots/: a desktop in light, and a phone in dark. The fonts are those of the machine. */

import { fileURLToPath } from "node:url";

import { start } from "./browser.js";

const SHOTS = {
  desktop: { link: "#standard/X/1", viewport: { width: 1280, height: 800 }, colorScheme: "light" },
  phone: { link: "#standard/O/", viewport: { width: 390, height: 844 }, colorScheme: "dark" },
};

const { open, close } = await start();
for (const [name, { link, ...options }] of Object.entries(SHOTS)) {
  const page = await open(link, options);
  await page.getByRole("switch").check();
  await page.screenshot({ path: fileURLToPath(new URL(`screenshots/${name}.png`, import.meta.url)) });
}
await close();
