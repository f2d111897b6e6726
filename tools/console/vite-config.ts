import react from '@vitejs/plugin-react'
import type { InlineConfig } from 'vite'
import { join } from 'node:path'
import { shareMapWorker } from './shared-map-worker.ts'

/** The development server passes calls of the API on to a server on port 8080. */
const api = ['/v1', '/api', '/assets/stac', '/realms', '/share', '/openapi.json', '/docs', '/readyz', '/base-map']

export const consoleRoot = join(import.meta.dirname, '../../apps/console')

/** Pages with a bundle each: the console, the page of a share link, and the API reference. */
const pages = ['index.html', 'share.html', 'docs.html']

export const viteConfig: InlineConfig = {
  root: consoleRoot,
  configFile: false,
  logLevel: 'warn',
  plugins: [react(), shareMapWorker()],
  build: {
    outDir: 'dist',
    // `/assets` belongs to the STAC API.
    assetsDir: 'console',
    emptyOutDir: true,
    target: 'es2022',
    // The Content-Security-Policy allows no data: URLs for fonts, and no inline script.
    assetsInlineLimit: 0,
    // The page of the API reference is one file of 1.5 megabytes.
    chunkSizeWarningLimit: 2000,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: pages.map((page) => join(consoleRoot, page)) },
  },
  // The host name stays: the server signs URLs for the host of the request.
  server: {
    proxy: Object.fromEntries(api.map((path) => [path, { target: 'http://127.0.0.1:8080', changeOrigin: false }])),
  },
}
