import { createServer } from 'vite'
import { viteConfig } from './vite-config.ts'

/** Serves the console with hot reloading; calls of the API go to a server on port 8080. */
const server = await createServer(viteConfig)
await server.listen()
server.printUrls()
