import { removeShapingControls } from './printable-characters.ts'

/** A font that PDFKit draws with, whose text is shaped by HarfBuzz. */
export interface ShapedFont {
  /**
   * The glyphs of a text in one script and direction, from left to right. A text from right to left begins with
   * `right_to_left_mark`. Lengths are in units of the font.
   */
  layout(text: string): GlyphRun
}

interface GlyphRun {
  readonly glyphs: readonly ShapedGlyph[]
  /** PDFKit scales them in place. */
  readonly positions: GlyphOffset[]
  /** The sum of the positions' advances. */
  readonly advanceWidth: number
}

interface ShapedGlyph {
  /** The index in `glyphs` of the document's font; the same form that stands for another text has another one. */
  readonly id: number
  readonly advanceWidth: number
  /** The text that it stands for when the PDF is searched or copied. */
  readonly codePoints: readonly number[]
  /** The number of its form in the font file; 0 is that of a missing character. */
  readonly glyph: number
}

interface GlyphOffset {
  xAdvance: number
  yAdvance: number
  xOffset: number
  yOffset: number
}

export const rightToLeftMark = '\u200f'

/** Opens a TrueType font for PDFKit, which takes an object of fontkit in place of a file. */
export async function createShapedFont(bytes: Uint8Array): Promise<ShapedFont> {
  // Loaded on first use, as WebAssembly.
  const hb = await import('harfbuzzjs')
  const { create } = await import('fontkit')
  const font = create(bytes)
  const shaper = new hb.Font(new hb.Face(new hb.Blob(bytes)))
  const buffer = new hb.Buffer()
  const glyphs: ShapedGlyph[] = []
  const glyphOf = new Map<string, ShapedGlyph>()
  const toGlyph = (glyph: number, text: string): ShapedGlyph => {
    const key = `${glyph} ${text}`
    const known = glyphOf.get(key)
    if (known) return known
    const codePoints = Array.from(text, (character) => character.codePointAt(0)!)
    const added = { id: glyphs.length, advanceWidth: shaper.glyphHAdvance(glyph), codePoints, glyph }
    glyphs.push(added)
    glyphOf.set(key, added)
    return added
  }
  const layout = (marked: string): GlyphRun => {
    const isRightToLeft = marked.startsWith(rightToLeftMark)
    const text = isRightToLeft ? marked.slice(rightToLeftMark.length) : marked
    buffer.reset()
    buffer.addText(text)
    buffer.guessSegmentProperties()
    buffer.setDirection(isRightToLeft ? hb.Direction.RTL : hb.Direction.LTR)
    if (isRightToLeft) buffer.setClusterLevel(hb.ClusterLevel.MONOTONE_CHARACTERS)
    buffer.setFlags(hb.BufferFlag.REMOVE_DEFAULT_IGNORABLES)
    hb.shape(shaper, buffer)
    const infos = buffer.getGlyphInfos()
    const texts = divideText(text, infos.map(({ cluster }) => cluster)) // prettier-ignore
    // Readers reverse the characters of a text from right to left, also those of one glyph: a joiner would change its place.
    if (isRightToLeft) for (const [at, part] of texts.entries()) texts[at] = removeShapingControls(part)
    const positions = buffer.getGlyphPositions()
    return {
      glyphs: infos.map(({ codepoint }, at) => toGlyph(codepoint, texts[at]!)),
      positions,
      get advanceWidth() {
        return positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0)
      },
    }
  }
  const createSubset = font.createSubset.bind(font)
  return Object.assign(font, { layout, createSubset: () => withRepeatedGlyphs(createSubset(), glyphs) })
}

/**
 * The text of each glyph of a run. The glyphs of one cluster stand for its text together: they get one character each, of the
 * decomposed text if there are more of them than characters, and the last one has the rest. The text of a cluster begins where it
 * does and ends where the next one begins.
 */
function divideText(text: string, clusters: readonly number[]): string[] {
  const counts = new Map<number, number>()
  for (const cluster of clusters) counts.set(cluster, (counts.get(cluster) ?? 0) + 1)
  const starts = [...counts.keys()].toSorted((one, other) => one - other)
  const restOf = new Map(
    starts.map((start, at) => {
      const part = text.slice(start, starts[at + 1] ?? text.length)
      const characters = Array.from(part)
      return [start, characters.length < counts.get(start)! ? Array.from(part.normalize('NFD')) : characters]
    }),
  )
  return clusters.map((cluster) => {
    const left = counts.get(cluster)! - 1
    counts.set(cluster, left)
    const rest = restOf.get(cluster)!
    return rest.splice(0, left > 0 ? 1 : rest.length).join('')
  })
}

interface GlyphSubset {
  /** The forms of the embedded font, by their number in the PDF. */
  readonly glyphs: number[]
  encode(): Uint8Array
}

/**
 * A subset for PDFKit, in which one form may have several numbers: a PDF has one text for each number, and the same form may
 * stand for different ones.
 */
function withRepeatedGlyphs(subset: GlyphSubset, glyphs: readonly ShapedGlyph[]) {
  const numbers = new Map<number, number>()
  return {
    includeGlyph(id: number): number {
      const number = numbers.get(id) ?? subset.glyphs.push(glyphs[id]!.glyph) - 1
      numbers.set(id, number)
      return number
    },
    encode: () => subset.encode(),
  }
}
