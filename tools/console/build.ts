import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { build } from 'vite'
import { writeBaseMap } from './base-map.ts'
import { consoleRoot, viteConfig } from './vite-config.ts'

/** Builds the console into `apps/console/dist`: the base map first, which Vite copies with the other public files. */
await writeBaseMap(join(consoleRoot, 'public', 'base-map'))
await build(viteConfig)

/** The server sends these files as they are: compressing megabytes for each visitor would take longer than sending them. */
const folders = ['console', 'base-map'].map((name) => join(consoleRoot, 'dist', name))
for (const folder of folders) {
  for (const name of await readdir(folder)) {
    if (!/\.(m?js|css|json|svg)$/.test(name)) continue
    const file = join(folder, name)
    const bytes = await readFile(file)
    const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }
    await writeFile(`${file}.br`, await promisify(brotliCompress)(bytes, quality))
    await writeFile(`${file}.gz`, await promisify(gzip)(bytes))
  }
}
