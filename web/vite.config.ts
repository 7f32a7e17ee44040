import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

const SERVICE = "http://127.0.0.1:8600";

export default defineConfig({
  plugins: [react()],
  base: "/",
  build: {
    outDir: "../src/upheld/faces/server/page/static",
    emptyOutDir: true,
    // Everything as a file of its own: the policy of the page allows no data: script.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
  },
  worker: { format: "es" },
  server: { proxy: { "/v1": SERVICE, "/health": SERVICE } },
  test: { include: ["tests/**/*.test.ts"] },
});
