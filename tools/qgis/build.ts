import { createWriteStream } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import {
  streamZipArchive,
  type ZipSourceEntry,
} from '../../packages/server/src/domains/items/assets/archive/pack-zip.ts'
import { qgisBuild } from '../launch/builds.mjs'
import { makeFolder } from '../launch/make-folder.ts'

const root = join(import.meta.dirname, '..', '..')
const source = join(root, 'packages/qgis')
/** The name of the plugin's package, which is the only folder of the archive. */
const folderName = 'swath'
/** The same sources give the same bytes. */
const modified_at = new Date(Date.UTC(2026, 0, 1))

async function listFiles(): Promise<string[]> {
  const files = await readdir(join(source, folderName), { recursive: true, withFileTypes: true })
  return files
    .filter((file) => file.isFile() && !file.parentPath.includes('__pycache__'))
    .map((file) =>
      join(file.parentPath, file.name)
        .slice(source.length + 1)
        .replaceAll('\\', '/'),
    )
    .toSorted()
}

async function toEntry(path: string): Promise<ZipSourceEntry> {
  const bytes = new Uint8Array(await readFile(join(source, path)))
  return { path, size: bytes.length, modified_at, open: async () => new Blob([bytes]).stream() }
}

await makeFolder(root, qgisBuild, async (folder) => {
  const { stream } = await streamZipArchive(await Promise.all((await listFiles()).map(toEntry)))
  await stream.pipeTo(Writable.toWeb(createWriteStream(join(folder, `${folderName}.zip`))))
})
console.log(`${qgisBuild.folder}/${folderName}.zip`)
