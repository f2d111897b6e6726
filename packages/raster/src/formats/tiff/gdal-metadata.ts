import type { BandStatistics } from '../../types.ts'

/** The content of field 42112, as GDAL writes it: a little XML of items, for the file or for one band. */
export interface GdalMetadata {
  readonly file: Readonly<Record<string, string>>
  readonly bands: readonly GdalBandMetadata[]
}

export interface GdalBandMetadata {
  readonly items: Readonly<Record<string, string>>
  readonly description: string | null
  /** The colour of the band (red, alpha …) if GDAL wrote one; lower case. */
  readonly colour: string | null
  readonly scale: number
  readonly offset: number
  readonly unit: string | null
}

const max_items = 65_536

/** Reads the items; text that is not of this shape is passed over, never an error. */
export function parseGdalMetadata(xml: string | undefined, bandCount: number): GdalMetadata {
  const file: Record<string, string> = {}
  const bands = Array.from({ length: bandCount }, () => ({
    items: {} as Record<string, string>,
    description: null as string | null,
    colour: null as string | null,
    scale: 1,
    offset: 0,
    unit: null as string | null,
  }))
  for (const { attributes, text } of readItems(xml ?? '')) {
    const name = attributes['name']
    if (name === undefined) continue
    const sample = attributes['sample']
    if (sample === undefined) {
      file[name] = text
      continue
    }
    const band = bands[Number(sample)]
    if (!band) continue
    const role = attributes['role']
    if (role === 'description') band.description = text
    else if (role === 'colorinterp') band.colour = text.toLowerCase()
    else if (role === 'unittype') band.unit = text
    // A scale of zero, which some programs write for none, would leave the offset alone of every value.
    else if (role === 'scale') band.scale = finiteOr(text, 1) || 1
    else if (role === 'offset') band.offset = finiteOr(text, 0)
    else band.items[name] = text
  }
  return { file, bands }
}

/** The statistics of a band as GDAL keeps them, or null where they are not complete. */
export function readGdalBandStatistics(items: Readonly<Record<string, string>>): BandStatistics | null {
  const number = (key: string): number | null => {
    const value = Number(items[key] ?? 'none')
    return Number.isFinite(value) ? value : null
  }
  const minimum = number('STATISTICS_MINIMUM')
  const maximum = number('STATISTICS_MAXIMUM')
  const mean = number('STATISTICS_MEAN')
  const stddev = number('STATISTICS_STDDEV')
  if (minimum === null || maximum === null || mean === null || stddev === null) return null
  return {
    minimum,
    maximum,
    mean,
    stddev,
    valid_percent: number('STATISTICS_VALID_PERCENT') ?? 100,
    p2: number('STATISTICS_P2'),
    p98: number('STATISTICS_P98'),
  }
}

interface Item {
  readonly attributes: Readonly<Record<string, string>>
  readonly text: string
}

function* readItems(xml: string): Generator<Item> {
  let at = 0
  for (let count = 0; count < max_items; count++) {
    const open = xml.indexOf('<Item', at)
    const textStart = open < 0 ? -1 : xml.indexOf('>', open) + 1
    const textEnd = textStart <= 0 ? -1 : xml.indexOf('<', textStart)
    if (textEnd < 0) return
    at = textEnd
    yield {
      attributes: readAttributes(xml.slice(open + 5, textStart - 1)),
      // GDAL escapes values twice and reads them so, whoever wrote them; names of attributes once.
      text: unescapeXml(unescapeXml(xml.slice(textStart, textEnd))),
    }
  }
}

function readAttributes(text: string): Record<string, string> {
  const attributes: Record<string, string> = {}
  for (const [, name, value] of text.matchAll(/\b([A-Za-z_]+)="([^"]*)"/g)) attributes[name!] = unescapeXml(value!)
  return attributes
}

const xmlEntities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }

function unescapeXml(text: string): string {
  return text.replace(/&(?:(lt|gt|quot|apos|amp)|#(\d{1,7})|#x([\da-fA-F]{1,6}));/g, (entity, name, decimal, hex) => {
    if (name !== undefined) return xmlEntities[name as string]!
    const code = decimal === undefined ? Number.parseInt(hex as string, 16) : Number(decimal)
    return isCharacter(code) ? String.fromCodePoint(code) : entity
  })
}

/** False for null and for halves of pairs (surrogates), which no text in UTF-8 has and the database refuses. */
const isCharacter = (code: number): boolean => code > 0 && code <= 0x10_ff_ff && (code < 0xd8_00 || code > 0xdf_ff)

function finiteOr(text: string, otherwise: number): number {
  const value = Number(text)
  return text.trim() !== '' && Number.isFinite(value) ? value : otherwise
}
