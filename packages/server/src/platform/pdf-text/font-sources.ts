import { readFile } from 'node:fs/promises'
import { isMeantFor, listFontFiles, type FontFile } from './font-files.ts'
import { isVisible } from './printable-characters.ts'

/** A font file as TrueType, with the code points that it has. */
export interface FontSource {
  readonly file: FontFile
  readonly bytes: Uint8Array
  readonly codePoints: ReadonlySet<number>
}

/** Finds the first typeface that has all visible characters of a text; null if none has. */
export type FindFontSource = (text: string) => Promise<FontSource | null>

/** Opens the typefaces; each file is read when a text may need it. */
export async function openFontSources(): Promise<FindFontSource> {
  const files = await listFontFiles()
  const sources = new Map<FontFile, Promise<FontSource>>()
  const open = (file: FontFile): Promise<FontSource> => {
    const source = sources.get(file) ?? readSource(file)
    sources.set(file, source)
    return source
  }
  return async (text) => {
    const codePoints = Array.from(text)
      .filter(isVisible)
      .map((character) => character.codePointAt(0)!)
    if (codePoints.length === 0) return null
    for (const file of files.filter((one) => codePoints.every((codePoint) => isMeantFor(one, codePoint)))) {
      const source = await open(file)
      if (codePoints.every((codePoint) => source.codePoints.has(codePoint))) return source
    }
    return null
  }
}

async function readSource(file: FontFile): Promise<FontSource> {
  const { default: fontverter } = await import('fontverter')
  const { Blob, Face } = await import('harfbuzzjs')
  const bytes = await fontverter.convert(await readFile(file.path), 'truetype')
  return { file, bytes, codePoints: new Set(new Face(new Blob(bytes)).collectUnicodes()) }
}
