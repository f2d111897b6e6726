import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { build } from 'vite'
import { writeBaseMap } from './base-map.ts'
import { consoleRoot, viteConfig } from './vite-config.ts'

const built = join(consoleRoot, 'dist')
/** A server may be running: what it serves is replaced when all of the new build is there. */
const [next, previous] = [`${built}-next`, `${built}-previous`]

/** Builds the console into `apps/console/dist`: the base map first, which Vite copies with the other public files. */
await writeBaseMap(join(consoleRoot, 'public', 'base-map'))
await build({ ...viteConfig, build: { ...viteConfig.build, outDir: next } })
await Promise.all(['console', 'base-map'].map((name) => compressFolder(join(next, name))))
await rm(previous, { recursive: true, force: true })
await rename(built, previous).catch(ignoreMissing)
await rename(next, built)
await rm(previous, { recursive: true, force: true })

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}

/** The server sends these files as they are: compressing megabytes for each visitor would take longer than sending them. */
async function compressFolder(folder: string): Promise<void> {
  const names = await readdir(folder)
  await Promise.all(
    names.filter((name) => /\.(m?js|css|json|svg)$/.test(name)).map((name) => compressFile(join(folder, name))),
  )
}

async function compressFile(file: string): Promise<void> {
  const bytes = await readFile(file)
  const brotli = {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  }
  await Promise.all([
    promisify(brotliCompress)(bytes, brotli).then((compressed) => writeFile(`${file}.br`, compressed)),
    promisify(gzip)(bytes).then((compressed) => writeFile(`${file}.gz`, compressed)),
  ])
}
