import { kml } from '@tmcw/togeojson'
import { DOMParser, onErrorStopParsing, type Document } from '@xmldom/xmldom'
import { VectorFailure } from '../vector-failure.ts'
import type { RawFeature, RawFeatures } from './raw-feature.ts'

/** Members that say how Google Earth draws a place, not what it is. */
const drawn = /^(?:styleUrl|styleHash|styleMapHash|icon|icon-.*|label-.*|stroke|stroke-.*|fill|fill-.*|visibility)$/

/**
 * The features of a KML document. A document type is refused before the parser sees it: its entities can make a few
 * bytes into gigabytes, or into files of ours.
 */
export function readKml(bytes: Buffer): RawFeatures & { readonly features: Iterable<RawFeature> } {
  const text = textOf(bytes)
  refuseDoctype(text)
  const document = parseXml(text)
  if (document.documentElement?.localName !== 'kml') {
    throw new VectorFailure('not_vector', 'The file is XML, but not KML: its root element is not "kml".')
  }
  return { crs: null, features: features(document) }
}

/** What the first bytes or the declaration say, UTF-8 where they say nothing. */
function textOf(bytes: Buffer): string {
  const [first, second] = bytes
  const declared = /^<\?xml[^>]{0,100}encoding\s*=\s*["']([\w.:-]{1,40})["']/.exec(
    bytes.toString('latin1', 0, 200),
  )?.[1]
  const marked = first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : null
  try {
    return new TextDecoder(marked ?? declared ?? 'utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    const name = marked ?? declared ?? 'UTF-8'
    throw new VectorFailure('damaged', `The KML is no text in ${name}. Save it again as UTF-8.`, { cause: error })
  }
}

/** It can only stand before the root element, among spaces, comments and instructions. */
function refuseDoctype(text: string): void {
  let at = 0
  for (;;) {
    while (/\s|\uFEFF/.test(text[at] ?? '')) at++
    const end = text.startsWith('<!--', at) ? '-->' : text.startsWith('<?', at) ? '?>' : null
    if (end === null) break
    const found = text.indexOf(end, at + 2)
    if (found < 0) break
    at = found + end.length
  }
  if (/^<!(?:doctype|entity)/i.test(text.slice(at, at + 12))) {
    throw new VectorFailure('unsafe', 'The KML has a document type, which is not read. Remove the line "<!DOCTYPE …>".')
  }
}

function parseXml(text: string): Document {
  try {
    const document = new DOMParser({ onError: onErrorStopParsing }).parseFromString(text, 'text/xml')
    if (document.doctype) throw new Error('a document type')
    return document
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n')[0]!.slice(0, 200) : ''
    throw new VectorFailure('damaged', `The KML is not well formed (${reason}).`, { cause: error })
  }
}

function* features(document: Document): Generator<RawFeature> {
  const types = takeSchema(document)
  for (const { id, geometry, properties } of kml(document, { skipNullGeometry: true }).features) {
    const entries = Object.entries(properties ?? {}).filter(([name]) => !drawn.test(name))
    const kept = entries.map(([name, value]) => [name, typed(types.get(name), plain(value))])
    yield { id, geometry: oneKind(geometry as Shape | null), properties: Object.fromEntries(kept) }
  }
}

type Typed = (text: string) => unknown

const numeric: Typed = (text) => (text === '' || !Number.isFinite(Number(text)) ? null : Number(text))
const truths: ReadonlyMap<string, boolean> = new Map([
  ['1', true],
  ['true', true],
  ['0', false],
  ['false', false],
])
const logical: Typed = (text) => truths.get(text.toLowerCase()) ?? null

const fieldTypes: Readonly<Record<string, Typed>> = {
  int: numeric,
  uint: numeric,
  short: numeric,
  ushort: numeric,
  float: numeric,
  double: numeric,
  bool: logical,
}

/** The types of declared fields, which are taken away: the library reads an empty number as 0 and "0" as true. */
function takeSchema(document: Document): Map<string, Typed> {
  const types = new Map<string, Typed>()
  for (const field of document.getElementsByTagName('SimpleField')) {
    const word = field.getAttribute('type') ?? ''
    const type = Object.hasOwn(fieldTypes, word) ? fieldTypes[word] : undefined
    if (type) types.set(field.getAttribute('name') ?? '', type)
    field.setAttribute('type', 'string')
  }
  return types
}

const typed = (type: Typed | undefined, value: unknown): unknown =>
  type && typeof value === 'string' ? type(value.trim()) : value

interface Shape {
  readonly type: string
  readonly coordinates?: unknown
  readonly geometries?: readonly Shape[]
}

/** KML has one word for geometries of several parts; parts of one kind have a better one. */
function oneKind(geometry: Shape | null): Shape | null {
  const parts = geometry?.geometries ?? []
  const [first] = parts
  if (!first || !/^(?:Point|LineString|Polygon)$/.test(first.type)) return geometry
  if (parts.some(({ type }) => type !== first.type)) return geometry
  return { type: `Multi${first.type}`, coordinates: parts.map(({ coordinates }) => coordinates) }
}

/** A description in HTML comes wrapped. */
const plain = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && '@type' in value && 'value' in value ? value.value : value
