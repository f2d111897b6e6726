/** Reserved by Windows, whatever follows after a dot. */
const reservedNames = /^(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])\s*(\.|$)/i

/** Separators, what Windows refuses, control characters, and those that turn the direction of a text around. */
const unsafeCharacters = /[<>:"/\\|?*\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu

/** Names that an unfinished download has. */
const partNames = /\.(part(\.json(\.new)?)?)$/i

/** File systems bound a name to 255 bytes; a part of it is for the names of unfinished downloads. */
const max_name_bytes = 200

/**
 * A name for a file or a folder that every system accepts and that is no path: from any text of a server, the same for the same
 * text.
 */
export function toSafeName(text: string): string {
  const plain = text.normalize('NFC').replaceAll(unsafeCharacters, '_')
  // A dot in front hides a file, or is a path; Windows drops dots and spaces at the end.
  const short = trimDots(truncate(trimDots(plain)))
    .replace(partNames, '_$1')
    .replace(reservedNames, '$1_')
  return short === '' ? '_' : short
}

const isDotOrSpace = (character: string): boolean => character === '.' || character.trim() === ''

/** Without dots and spaces at both ends; a pattern for the end would take quadratic time. */
function trimDots(text: string): string {
  let [start, end] = [0, text.length]
  while (start < end && isDotOrSpace(text[start]!)) start += 1
  while (end > start && isDotOrSpace(text[end - 1]!)) end -= 1
  return text.slice(start, end)
}

/** Cuts a name between characters, before its extension. */
function truncate(name: string): string {
  const encoder = new TextEncoder()
  if (encoder.encode(name).length <= max_name_bytes) return name
  const [extension = ''] = /\.[A-Za-z0-9]{1,10}$/.exec(name) ?? []
  let rest_bytes = max_name_bytes - extension.length
  let stem = ''
  for (const character of name.slice(0, name.length - extension.length)) {
    rest_bytes -= encoder.encode(character).length
    if (rest_bytes < 0) break
    stem += character
  }
  return `${stem}${extension}`
}

/**
 * Gives each thing a safe name of its own, also where a system ignores case. Of equal names the one of the lowest id, which is the
 * oldest, stays: so the others that come later do not change it.
 */
export function assignSafeNames<Thing extends { readonly id: string }>(
  things: readonly Thing[],
  nameOf: (thing: Thing) => string,
): Map<string, string> {
  const used = new Set<string>()
  const byAge = things.toSorted((one, other) => (one.id < other.id ? -1 : 1))
  return new Map(
    byAge.map((thing) => {
      const name = toSafeName(nameOf(thing))
      const own = used.has(foldCase(name)) ? withId(name, thing.id) : name
      used.add(foldCase(own))
      return [thing.id, own]
    }),
  )
}

const foldCase = (name: string): string => name.toUpperCase().toLowerCase()

/** The id goes before the extension, and is never cut off. */
function withId(name: string, id: string): string {
  const [, stem = name, extension = ''] = /^(.+?)(\.[A-Za-z0-9]{1,10})?$/.exec(name) ?? []
  const mark = `~${toSafeName(id)}`
  const short = [...stem].slice(0, Math.floor((max_name_bytes - mark.length - extension.length) / 4)).join('')
  return `${short}${mark}${extension}`
}
