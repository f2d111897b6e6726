import { isObject, isText, type Members } from './document.ts'
import { momentOf } from './read-moment.ts'

/** Normalizes a field of the common metadata; undefined if it cannot be made valid. */
type Mend = (value: unknown) => unknown

const text: Mend = (value) => (isText(value) ? value : undefined)
const moment: Mend = (value) => momentOf(value)?.text

const common: Readonly<Record<string, Mend>> = {
  platform: text,
  constellation: text,
  mission: text,
  instruments: (value) => {
    const list = (Array.isArray(value) ? value : [value]).filter((one) => isText(one) && one !== '')
    return list.length > 0 ? list : undefined
  },
  gsd: (value) => (typeof value === 'number' && value > 0 ? value : undefined),
  // The characters that STAC allows.
  license: (value) => (isText(value) ? value.trim().replaceAll(/[^\w.+-]+/g, '-') || undefined : undefined),
  title: (value) => (isText(value) ? value : undefined),
  description: (value) => (isText(value) ? value : undefined),
  created: moment,
  updated: moment,
  start_datetime: moment,
  end_datetime: (value) => momentOf(value, 'end')?.text,
  providers: (value) => {
    const list = Array.isArray(value)
      ? value.filter((one) => isObject(one) && isText(one['name']) && one['name'] !== '')
      : []
    return list.length > 0 ? list.map(provider) : undefined
  },
  // Values of the sat extension, which many catalogues capitalize.
  'sat:orbit_state': (value) => (isText(value) ? value.toLowerCase() : undefined),
}

const providerRoles: ReadonlySet<unknown> = new Set(['producer', 'licensor', 'processor', 'host'])

function provider(given: Members): Members {
  const { roles, url, description, ...rest } = given
  const known = Array.isArray(roles) ? roles.filter((role) => providerRoles.has(role)) : []
  return {
    ...rest,
    ...fitted('description', description, isText(description)),
    ...fitted('url', url, isText(url) && URL.canParse(url)),
    ...(known.length > 0 || isEmptyList(roles) ? { roles: known } : {}),
    ...(roles === undefined || (Array.isArray(roles) && roles.length === known.length) ? {} : { given_roles: roles }),
  }
}

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0

/** A member under its name if it is valid, else under a fallback name. */
const fitted = (name: string, value: unknown, fits: boolean): Members =>
  value === undefined || value === null ? {} : { [fits ? name : `given_${name}`]: value }

/** True if the normalized value lost information. */
function isLoss(name: string, value: unknown, mended: unknown): boolean {
  if (name === 'license') return mended !== value
  return Array.isArray(value) && Array.isArray(mended) && mended.length < value.length
}

/**
 * Normalizes the common metadata of an item or asset to STAC 1.0.0. A value that cannot be made valid is kept under a
 * fallback name (`given_platform`), so nothing is lost.
 */
export function fitCommon(members: Members): void {
  for (const [name, mend] of Object.entries(common)) {
    if (!Object.hasOwn(members, name)) continue
    const value = members[name]
    const mended = mend(value)
    if (mended === undefined) delete members[name]
    else members[name] = mended
    if (value !== null && value !== '' && (mended === undefined || isLoss(name, value, mended))) {
      members[`given_${name.replace(':', '_')}`] = value
    }
  }
}
