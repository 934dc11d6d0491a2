// A classic script: it also runs where modules do not, as from file:, and can say so.
import("./page.js").catch((error) => {
  let fault = error.message;
  if (location.protocol === "file:") {
    fault = "Browsers load it from a web server only: run python3 -m http.server in this folder.";
  } else if (error.name !== "TableError") {
    fault += ". All files of dist/ have to be there, and .mjs files to be sent as text/javascript.";
  }
  document.querySelector("#status").textContent = `This page cannot start. ${fault}`;
});
