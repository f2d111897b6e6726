import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { build } from 'vite'
import { consoleBuild } from '../launch/builds.mjs'
import { makeFolder } from '../launch/make-folder.ts'
import { consoleRoot, viteConfig } from './vite-config.ts'

/** Builds the console. */
await makeFolder(join(consoleRoot, '../..'), consoleBuild, async (folder) => {
  await build({ ...viteConfig, build: { ...viteConfig.build, outDir: folder } })
  await compressFolder(join(folder, 'console'))
})

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
