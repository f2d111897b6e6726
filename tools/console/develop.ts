import { join } from 'node:path'
import { createServer } from 'vite'
import { writeBaseMap } from './base-map.ts'
import { consoleRoot, viteConfig } from './vite-config.ts'

/** Serves the console with hot reloading; calls of the API go to a server on port 8080. */
await writeBaseMap(join(consoleRoot, 'public', 'base-map'))
const server = await createServer(viteConfig)
await server.listen()
server.printUrls()
