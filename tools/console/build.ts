import { join } from 'node:path'
import { build } from 'vite'
import { writeBaseMap } from './base-map.ts'
import { consoleRoot, viteConfig } from './vite-config.ts'

/** Builds the console into `apps/console/dist`: the base map first, which Vite copies with the other public files. */
await writeBaseMap(join(consoleRoot, 'public', 'base-map'))
await build(viteConfig)
