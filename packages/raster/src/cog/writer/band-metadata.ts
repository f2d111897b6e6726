import type { BandStatistics } from '../../types.ts'
import type { OverviewResampling } from './downsample.ts'

/** The metadata that are written for one band. */
export interface CogBand {
  readonly name: string | null
  /** gray, red, green, blue, alpha, palette or undefined. */
  readonly colour: string
  /** Meaning of a sample: value × scale + offset. */
  readonly scale: number
  readonly offset: number
  /** Unit of that meaning, as GDAL's unit type. */
  readonly unit?: string | null
  /** Resampling of the overviews of this band; default as for the whole image. */
  readonly overview?: OverviewResampling
}

const xmlEscapes: Readonly<Record<string, string>> = {
  '<': '&lt;',
  '>': '&gt;',
  '&': '&amp;',
  '"': '&quot;',
  "'": '&apos;',
}
/** Facts that fields of their own carry, or that would be untrue of the new file. */
const ownFields = /^(AREA_OR_POINT|INTERLEAVE|COMPRESSION|LAYOUT|OVERVIEW_RESAMPLING|TIFFTAG_.*|STATISTICS_.*)$/

/**
 * The text of TIFF field 42112 in the form GDAL reads: items of the file, and for every band its statistics, name,
 * scale and offset, and its colour where the photometric fields do not say it.
 *
 * @param impliedColours the colours a reader takes from the photometric fields alone.
 * @returns null when there is nothing to say.
 */
export function formatGdalMetadata(
  bands: readonly CogBand[],
  statistics: readonly BandStatistics[],
  impliedColours: readonly string[],
  metadata: Readonly<Record<string, string>>,
): string | null {
  const items: string[] = []
  for (const [name, value] of Object.entries(metadata)) if (!ownFields.test(name)) items.push(item(name, '', value))
  for (const [index, band] of bands.entries()) {
    const sample = ` sample="${index}"`
    for (const [name, value] of statisticsItems(statistics[index])) items.push(item(name, sample, value))
    if (band.name !== null) items.push(item('DESCRIPTION', `${sample} role="description"`, band.name))
    if (band.offset !== 0) items.push(item('OFFSET', `${sample} role="offset"`, String(band.offset)))
    if (band.scale !== 1) items.push(item('SCALE', `${sample} role="scale"`, String(band.scale)))
    if (band.unit) items.push(item('UNITTYPE', `${sample} role="unittype"`, band.unit))
    if (band.colour !== impliedColours[index])
      items.push(item('COLORINTERP', `${sample} role="colorinterp"`, capitalise(band.colour)))
  }
  return items.length > 0 ? `<GDALMetadata>\n${items.join('')}</GDALMetadata>\n` : null
}

function statisticsItems(statistics: BandStatistics | undefined): [name: string, value: string][] {
  if (!statistics || !Number.isFinite(statistics.mean)) return []
  return [
    ['STATISTICS_MAXIMUM', String(statistics.maximum)],
    ['STATISTICS_MEAN', String(statistics.mean)],
    ['STATISTICS_MINIMUM', String(statistics.minimum)],
    ['STATISTICS_STDDEV', String(statistics.stddev)],
    ['STATISTICS_VALID_PERCENT', String(Number(statistics.valid_percent.toPrecision(4)))],
    ...percentileItems(statistics),
  ]
}

/** Not GDAL's names, but written the same way so that a stretch is at hand without reading pixels. */
function percentileItems({ p2, p98 }: BandStatistics): [name: string, value: string][] {
  return p2 === null || p98 === null
    ? []
    : [
        ['STATISTICS_P2', String(p2)],
        ['STATISTICS_P98', String(p98)],
      ]
}

/** Values are escaped twice, as GDAL writes and reads them. */
function item(name: string, attributes: string, value: string): string {
  return `  <Item name="${escapeXml(name)}"${attributes}>${escapeXml(escapeXml(value))}</Item>\n`
}

/** Control characters are not lawful in XML and are left out. */
function escapeXml(text: string): string {
  let out = ''
  for (const character of text) if (character >= ' ' || character === '\n') out += xmlEscapes[character] ?? character
  return out
}

function capitalise(colour: string): string {
  return colour.charAt(0).toUpperCase() + colour.slice(1)
}
