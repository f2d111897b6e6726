import { kmlGen } from '@tmcw/togeojson'
import { DOMParser, onErrorStopParsing, type Document } from '@xmldom/xmldom'
import { VectorFailure } from '../vector-failure.ts'
import type { VectorLimits } from '../vector-file.ts'
import { createTooManyFieldsFailure } from './fields.ts'
import { takeUniqueName, type TakenNames } from '../../../engine/input/unique-name.ts'
import { describeRepeatedName } from './repeated-names.ts'
import type { RawFeature, RawFeatures } from './raw-feature.ts'

/** Properties that describe the style of a feature in Google Earth. */
const styleProperty =
  /^(?:styleUrl|styleHash|styleMapHash|icon|icon-.*|label-.*|stroke|stroke-.*|fill|fill-.*|visibility)$/

/**
 * The features of a KML document. A document type declaration is rejected before parsing: its entities can expand a few
 * bytes to gigabytes, or read local files.
 */
export function readKml(
  bytes: Buffer,
  limits: VectorLimits,
): RawFeatures & { readonly features: Iterable<RawFeature> } {
  const text = decodeKml(bytes)
  rejectDoctype(text)
  requireFewFields(text, limits)
  const document = parseXml(text)
  if (document.documentElement?.localName !== 'kml') {
    throw new VectorFailure('not_vector', 'The file is XML, but not KML. Export it as KML.')
  }
  normalizeElements(document)
  return { crs: null, features: listFeatures(document), notes: renameRepeatedFields(document) }
}

/** Decodes the text by its byte order mark or XML declaration, by default as UTF-8. */
function decodeKml(bytes: Buffer): string {
  const [first, second] = bytes
  const declaredEncoding = /^<\?xml[^>]{0,100}encoding\s*=\s*["']([\w.:-]{1,40})["']/.exec(
    bytes.toString('latin1', 0, 200),
  )?.[1]
  const bomEncoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : null
  try {
    return new TextDecoder(bomEncoding ?? declaredEncoding ?? 'utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    const name = bomEncoding ?? declaredEncoding ?? 'UTF-8'
    throw new VectorFailure('damaged', `The KML is not valid ${name} text. Save it as UTF-8.`, { cause: error })
  }
}

/** A declaration can only occur before the root element, among whitespace, comments and processing instructions. */
function rejectDoctype(text: string): void {
  let at = 0
  for (;;) {
    while (/\s|\uFEFF/.test(text[at] ?? '')) at++
    const end = text.startsWith('<!--', at) ? '-->' : text.startsWith('<?', at) ? '?>' : null
    if (end === null) break
    const end_index = text.indexOf(end, at + 2)
    if (end_index < 0) break
    at = end_index + end.length
  }
  if (/^<!(?:doctype|entity)/i.test(text.slice(at, at + 12))) {
    throw new VectorFailure(
      'unsafe',
      'The KML has a document type declaration, which is not allowed. Remove the line "<!DOCTYPE …>".',
    )
  }
}

const fieldElement =
  /<(?:[\w.-]{1,50}:)?(?:Data|SimpleData|SimpleField)\s[^>]{0,500}?\bname\s*=\s*(?:"([^"]*)"|'([^']*)')/g

/** Counts the names of fields before the document is parsed, which takes long and much memory if there are many. */
function requireFewFields(text: string, limits: VectorLimits): void {
  const names = new Set<string>()
  for (const [, quoted, singleQuoted] of text.matchAll(fieldElement)) {
    names.add(quoted ?? singleQuoted ?? '')
    if (names.size > limits.fields) throw createTooManyFieldsFailure(limits)
  }
}

function parseXml(text: string): Document {
  try {
    const document = new DOMParser({ onError: onErrorStopParsing }).parseFromString(text, 'text/xml')
    if (document.doctype) throw new Error('a document type declaration')
    return document
  } catch (error) {
    throw new VectorFailure('damaged', `The KML is not well-formed XML${describeXmlError(error)}. Export it again.`, {
      cause: error,
    })
  }
}

/** The words of the parser are those of its interface: only the line, and a prefix that is not declared, help a user. */
function describeXmlError(error: unknown): string {
  if (/namespace is null/.test(String(error)))
    return ': it uses a prefix of names, as in "kml:Placemark", without its xmlns'
  const { lineNumber = 0 } = (error as { readonly locator?: { readonly lineNumber?: number } }).locator ?? {}
  return lineNumber > 0 ? `: there is an error in line ${lineNumber}` : ''
}

const kmlNamespace = /^https?:\/\/(?:www\.opengis\.net|earth\.google\.com)\/kml\/\d/
const extensionNamespace = /^https?:\/\/www\.google\.com\/kml\/ext\/\d/

/**
 * Gives elements the names that the library looks for, whatever prefixes the file has, and their coordinates its form: tuples without
 * spaces inside.
 */
function normalizeElements(document: Document): void {
  // A copy, because the list is made anew after each change.
  for (const element of Array.from(document.getElementsByTagName('*'))) {
    const { namespaceURI, localName } = element
    const prefix = extensionNamespace.test(namespaceURI ?? '') ? 'gx' : null
    const isKnown = prefix !== null || kmlNamespace.test(namespaceURI ?? '')
    if (isKnown && element.prefix !== prefix) {
      const name = prefix === null ? localName : `${prefix}:${localName}`
      Object.assign(element, { prefix, tagName: name, nodeName: name })
    }
    // The text of any other element may be that of the whole document.
    if (localName === 'coordinates') element.textContent = trimCommas(element.textContent ?? '')
  }
}

/** Gives the second field of a name in a placemark another name: the library keeps one of them. Returns notes for the sender. */
function renameRepeatedFields(document: Document): Set<string> {
  const notes = new Set<string>()
  for (const data of Array.from(document.getElementsByTagName('ExtendedData'))) {
    const taken: TakenNames = new Map()
    const fields = ['Data', 'SimpleData'].flatMap((name) => Array.from(data.getElementsByTagName(name)))
    for (const field of fields) {
      const name = field.getAttribute('name') ?? ''
      const unique = takeUniqueName(name, taken)
      if (unique === name) continue
      field.setAttribute('name', unique)
      notes.add(describeRepeatedName(name, unique))
    }
  }
  return notes
}

const trimCommas = (coordinates: string): string =>
  coordinates
    .split(',')
    .map((part) => part.trim())
    .join(',')

function* listFeatures(document: Document): Generator<RawFeature> {
  const types = extractSchema(document)
  for (const { id, geometry, properties } of kmlGen(document, { skipNullGeometry: true })) {
    const entries = Object.entries(properties ?? {}).filter(([name]) => !styleProperty.test(name))
    const values = entries.map(([name, value]) => [name, parseTyped(types.get(name), unwrapValue(value))])
    yield { id, geometry: mergeSameType(geometry as KmlGeometry | null), properties: Object.fromEntries(values) }
  }
}

type ParseValue = (text: string) => unknown

/** Some programs write a number as their user reads it, with a decimal comma. A whole number beyond 2^53 stays text. */
function parseNumeric(text: string): number | string | null {
  const plain = /^[-+]?\d+,\d+$/.test(text) ? text.replace(',', '.') : text
  if (/^-?\d+$/.test(plain) && !Number.isSafeInteger(Number(plain))) return plain
  return plain === '' || !Number.isFinite(Number(plain)) ? null : Number(plain)
}

const booleanByText: ReadonlyMap<string, boolean> = new Map([
  ['1', true],
  ['true', true],
  ['0', false],
  ['false', false],
])
const parseBoolean: ParseValue = (text) => booleanByText.get(text.toLowerCase()) ?? null

const parserByFieldType: Readonly<Record<string, ParseValue>> = {
  int: parseNumeric,
  uint: parseNumeric,
  short: parseNumeric,
  ushort: parseNumeric,
  float: parseNumeric,
  double: parseNumeric,
  bool: parseBoolean,
}

/** Removes and returns the types of declared fields: the library parses an empty number as 0 and "0" as true. */
function extractSchema(document: Document): Map<string, ParseValue> {
  const types = new Map<string, ParseValue>()
  for (const field of document.getElementsByTagName('SimpleField')) {
    const typeName = field.getAttribute('type') ?? ''
    const type = Object.hasOwn(parserByFieldType, typeName) ? parserByFieldType[typeName] : undefined
    if (type) types.set(field.getAttribute('name') ?? '', type)
    field.setAttribute('type', 'string')
  }
  return types
}

const parseTyped = (type: ParseValue | undefined, value: unknown): unknown =>
  type && typeof value === 'string' ? type(value.trim()) : value

interface KmlGeometry {
  readonly type: string
  readonly coordinates?: unknown
  readonly geometries?: readonly KmlGeometry[]
}

/** Converts a MultiGeometry whose parts have one type to the specific multi-part type. */
function mergeSameType(geometry: KmlGeometry | null): KmlGeometry | null {
  const parts = geometry?.geometries ?? []
  const [first] = parts
  if (!first || !/^(?:Point|LineString|Polygon)$/.test(first.type)) return geometry
  if (parts.some(({ type }) => type !== first.type)) return geometry
  return { type: `Multi${first.type}`, coordinates: parts.map(({ coordinates }) => coordinates) }
}

/** HTML descriptions are wrapped in an object. */
const unwrapValue = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && '@type' in value && 'value' in value ? value.value : value
