import { isObject, isString, type JsonObject } from './document.ts'
import { parseFeatureTimestamp } from './parse-datetime.ts'

/** Normalizes a field of the common metadata; undefined if it cannot be made valid. */
type FieldNormalizer = (value: unknown) => unknown

const text: FieldNormalizer = (value) => (isString(value) ? value : undefined)
const timestamp: FieldNormalizer = (value) => parseFeatureTimestamp(value)?.text

const commonFields: Readonly<Record<string, FieldNormalizer>> = {
  platform: text,
  constellation: text,
  mission: text,
  instruments: (value) => {
    const list = (Array.isArray(value) ? value : [value]).filter((entry) => isString(entry) && entry !== '')
    return list.length > 0 ? list : undefined
  },
  gsd: (value) => (typeof value === 'number' && value > 0 ? value : undefined),
  // The characters that STAC allows.
  license: (value) => (isString(value) ? value.trim().replaceAll(/[^\w.+-]+/g, '-') || undefined : undefined),
  title: (value) => (isString(value) ? value : undefined),
  description: (value) => (isString(value) ? value : undefined),
  created: timestamp,
  updated: timestamp,
  start_datetime: timestamp,
  end_datetime: (value) => parseFeatureTimestamp(value, 'end')?.text,
  providers: (value) => {
    const list = Array.isArray(value)
      ? value.filter((entry) => isObject(entry) && isString(entry['name']) && entry['name'] !== '')
      : []
    return list.length > 0 ? list.map(normalizeProvider) : undefined
  },
  // Values of the sat extension, which many catalogues capitalize.
  'sat:orbit_state': (value) => (isString(value) ? value.toLowerCase() : undefined),
}

const providerRoles: ReadonlySet<unknown> = new Set(['producer', 'licensor', 'processor', 'host'])

function normalizeProvider(input: JsonObject): JsonObject {
  const { roles, url, description, ...rest } = input
  const validRoles = Array.isArray(roles) ? roles.filter((role) => providerRoles.has(role)) : []
  return {
    ...rest,
    ...memberOrFallback('description', description, isString(description)),
    ...memberOrFallback('url', url, isString(url) && URL.canParse(url)),
    ...(validRoles.length > 0 || isEmptyList(roles) ? { roles: validRoles } : {}),
    ...(roles === undefined || (Array.isArray(roles) && roles.length === validRoles.length)
      ? {}
      : { given_roles: roles }),
  }
}

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0

/** A member under its name if it is valid, else under a fallback name. */
const memberOrFallback = (name: string, value: unknown, fits: boolean): JsonObject =>
  value === undefined || value === null ? {} : { [fits ? name : `given_${name}`]: value }

/** True if the normalized value lost information. */
function losesInformation(name: string, value: unknown, normalized: unknown): boolean {
  if (name === 'license') return normalized !== value
  return Array.isArray(value) && Array.isArray(normalized) && normalized.length < value.length
}

/**
 * Normalizes the common metadata of an item or asset to STAC 1.0.0. A value that cannot be made valid is kept under a
 * fallback name (`given_platform`), so nothing is lost.
 */
export function normalizeCommonMetadata(members: JsonObject): void {
  for (const [name, normalize] of Object.entries(commonFields)) {
    if (!Object.hasOwn(members, name)) continue
    const value = members[name]
    const normalized = normalize(value)
    if (normalized === undefined) delete members[name]
    else members[name] = normalized
    if (value !== null && value !== '' && (normalized === undefined || losesInformation(name, value, normalized))) {
      members[`given_${name.replace(':', '_')}`] = value
    }
  }
}
