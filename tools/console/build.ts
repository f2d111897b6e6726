import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { build } from 'vite'
import { computeConsoleFingerprint, isConsoleBuilt } from '../launch/console.mjs'
import { acquireFolderLock } from '../launch/folder-lock.mjs'
import { consoleRoot, viteConfig } from './vite-config.ts'

const built = join(consoleRoot, 'dist')
/** A server may be running: what it serves is replaced when all of the new build is there. */
const [next, previous] = [`${built}-next`, `${built}-previous`]

const root = join(consoleRoot, '../..')

/** Builds the console into `apps/console/dist`. */
async function buildConsole(): Promise<void> {
  // Of the sources as they were before they were read.
  const fingerprint = computeConsoleFingerprint(root)
  await build({ ...viteConfig, build: { ...viteConfig.build, outDir: next } })
  await compressFolder(join(next, 'console'))
  await writeFile(join(next, 'fingerprint'), fingerprint)
  await rm(previous, { recursive: true, force: true })
  await rename(built, previous).catch(ignoreMissing)
  await rename(next, built)
  await rm(previous, { recursive: true, force: true })
}

// Two builds at once would write into each other's folders.
const release = acquireFolderLock(root, 'console')
try {
  const isWanted = !process.argv.includes('--if-stale') || !isConsoleBuilt(root)
  if (isWanted) await buildConsole()
} finally {
  release()
}

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
