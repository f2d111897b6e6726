import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { escapeHtml } from '../packages/server/src/platform/html/escape-html.ts'
import { renderThumbnail, openFileSource, openRaster, RasterFailure } from '@swath/raster'

/** A file of the page: its image, or the message with which it is rejected. */
interface FormatEntry {
  readonly name: string
  readonly description: string
  readonly png: Uint8Array | null
}

const fixtures = join(import.meta.dirname, '../fixtures/rasters')
const side_pixels = 160

async function rastersIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true })
  return entries
    .filter((entry) => entry.isFile() && /\.(tiff?|jp2|j2k)$/i.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}

async function createEntry(path: string, folder: string): Promise<FormatEntry> {
  const name = relative(folder, path)
  const source = await openFileSource(path)
  try {
    const raster = await openRaster(source)
    const { width, height, sampleType, bands, crs, levels } = raster
    const description = `${width}×${height}×${bands.length} ${sampleType}, ${crs.name}, ${levels.length - 1} overviews`
    const { bytes } = await renderThumbnail(raster, { size: side_pixels, format: 'png' })
    return { name, description, png: bytes }
  } catch (error) {
    if (!(error instanceof RasterFailure)) throw error
    return { name, description: `${error.kind}: ${error.message}`, png: null }
  } finally {
    await source.close()
  }
}

function renderFigure({ name, description, png }: FormatEntry): string {
  const image = png
    ? `<img alt="" src="data:image/png;base64,${Buffer.from(png).toString('base64')}">`
    : '<p>rejected</p>'
  return `<figure>${image}<figcaption><b>${escapeHtml(name)}</b><br>${escapeHtml(description)}</figcaption></figure>`
}

const style = `body { font: 12px/1.3 system-ui; background: #ddd; display: flex; flex-wrap: wrap; gap: 8px }
figure { margin: 0; width: 176px; background: #fff; padding: 8px; overflow-wrap: anywhere }
img { image-rendering: pixelated; width: ${side_pixels}px; background: repeating-conic-gradient(#eee 0 25%, #fff 0 50%) 0 / 16px 16px }
figure p { height: ${side_pixels}px; margin: 0; display: grid; place-items: center; background: #fdd }`

/** Renders every raster of a folder on one page: npm run formats -- page.html [folder]. */
const { positionals } = parseArgs({ allowPositionals: true })
const [page = 'formats.html', folder = fixtures] = positionals
const entries: FormatEntry[] = []
for (const path of await rastersIn(folder)) entries.push(await createEntry(path, folder))
await mkdir(dirname(page), { recursive: true })
await writeFile(
  page,
  `<!doctype html><meta charset="utf-8"><style>${style}</style>${entries.map(renderFigure).join('\n')}`,
)
const rejected = entries.filter(({ png }) => png === null)
for (const { name, description } of rejected) console.log(`${name}: ${description}`)
console.log(
  `${basename(page)}: ${entries.length - rejected.length} rendered, ${rejected.length} rejected with a named failure`,
)
