import { createHash } from 'node:crypto'
import { open, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Geometry } from '@swath/contract/schemas/geojson.ts'
import { computeRasterFootprint, type Raster } from '@swath/raster'
import { hashFileSha256 } from '../../../platform/crypto/hash-file.ts'
import { newId } from '../../../platform/ids.ts'
import type { AssetToAdd } from '../../items/add-item.ts'
import { streamZipArchive } from '../../items/assets/archive/pack-zip.ts'
import { writeStreamToFile } from '../../uploads/write-stream.ts'
import { getRunFolder, type ExportPlanAsset, type JobPlanItem } from '../job-plan.ts'
import type { JobResultWriter } from './result-writer.ts'

interface ExportFormat {
  readonly file_name: string
  readonly media_type: string
}

const formats: Readonly<Record<ExportPlanAsset['process']['name'], ExportFormat>> = {
  png: { file_name: 'data.png', media_type: 'image/png' },
  zarr: { file_name: 'data.zarr.zip', media_type: 'application/vnd.zarr+zip' },
}

/** Writes an asset in another format and stores it, with its georeferencing. */
export async function writeExportAsset(
  writer: JobResultWriter,
  plan: JobPlanItem,
  planned: ExportPlanAsset,
): Promise<{ readonly assets: AssetToAdd[]; readonly geometry: Geometry }> {
  const { organization, run, blobs, folder, signal } = writer
  const { file_name, media_type } = formats[planned.process.name]
  const written = join(folder, `${plan.id}-${file_name}`)
  const raster = await writer.createExport(planned, written)
  const path = planned.process.name === 'zarr' ? await packFolder(written, signal) : written
  const blob_folder = getRunFolder(organization, plan.id, run)
  const checksum_sha256 = await hashFileSha256(path)
  const { size } = await blobs.putFile(`${blob_folder}/${file_name}`, path, media_type)
  const asset: AssetToAdd = {
    id: newId(),
    key: planned.key,
    title: planned.title,
    blob_path: `${blob_folder}/${file_name}`,
    media_type,
    roles: ['data'],
    file_size_bytes: size,
    checksum_sha256,
    raster: null,
    stac: gridOf(raster),
  }
  const others = planned.process.name === 'png' ? [await storeWorldFile(writer, raster, `${blob_folder}/data.pgw`)] : []
  return { assets: [asset, ...others], geometry: computeRasterFootprint(raster) as unknown as Geometry }
}

/** The grid as the STAC extension `proj` has it: the file may not say. */
const gridOf = ({ crs, affine: [a, b, c, d, e, f], width, height }: Raster) => ({
  ...(crs.epsg === null ? {} : { 'proj:code': `EPSG:${crs.epsg}` }),
  'proj:shape': [height, width],
  'proj:transform': [b, c, a, e, f, d],
})

/** The six lines of an ESRI world file, with which GDAL and QGIS place a PNG that lies beside it. */
async function storeWorldFile({ blobs }: JobResultWriter, raster: Raster, blob_path: string): Promise<AssetToAdd> {
  const [a, b, c, d, e, f] = raster.affine
  const lines = [b, e, c, f, a + (b + c) / 2, d + (e + f) / 2]
  const bytes = Buffer.from(`${lines.join('\n')}\n`)
  await blobs.putBytes(blob_path, bytes, 'text/plain')
  return {
    id: newId(),
    key: 'world_file',
    title: 'World file',
    blob_path,
    media_type: 'text/plain',
    roles: ['metadata'],
    file_size_bytes: bytes.length,
    checksum_sha256: createHash('sha256').update(bytes).digest('hex'),
    raster: null,
  }
}

/**
 * A Zarr store as one ZIP file without compression beside it: people download one file, and programs read single chunks of it by
 * ranges of bytes.
 */
async function packFolder(folder: string, signal: AbortSignal): Promise<string> {
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
  const entries = await Promise.all(
    files.map(async ({ parentPath, name }) => {
      const path = join(parentPath, name)
      const { size } = await stat(path)
      return {
        path: path.slice(folder.length + 1).replaceAll('\\', '/'),
        size,
        modified_at: zip_epoch,
        open: async () => (await open(path)).readableWebStream({ autoClose: true }) as ReadableStream<Uint8Array>,
      }
    }),
  )
  const { stream } = await streamZipArchive(entries.toSorted((one, other) => (one.path < other.path ? -1 : 1)))
  const path = `${folder}.zip`
  await writeStreamToFile(stream, path, signal)
  return path
}

/** The earliest time that ZIP knows: equal stores are equal bytes. */
const zip_epoch = new Date(1980, 0, 1)
