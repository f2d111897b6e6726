// Types of libraries that have none of their own: only what is used of them.
declare module 'subset-font' {
  /** A font with the glyphs of the text and what their shaping needs; a number for an axis makes the font static. */
  export default function subsetFont(
    font: Uint8Array,
    text: string,
    options: { readonly targetFormat: 'truetype'; readonly variationAxes: Readonly<Record<string, number>> },
  ): Promise<Buffer>
}

declare module 'bidi-js' {
  interface EmbeddingLevels {
    readonly levels: Uint8Array
    readonly paragraphs: readonly { readonly start: number; readonly end: number; readonly level: number }[]
  }
  interface Bidi {
    getEmbeddingLevels(text: string, direction?: 'ltr' | 'rtl' | 'auto'): EmbeddingLevels
    getMirroredCharacter(character: string): string | null
  }
  export default function createBidi(): Bidi
}

declare module 'fontverter' {
  const fontverter: { convert(font: Uint8Array, to: 'truetype'): Promise<Uint8Array> }
  export default fontverter
}

declare module 'fontkit' {
  interface Font {
    createSubset(): { glyphs: number[]; encode(): Uint8Array }
  }
  export function create(bytes: Uint8Array): Font
}

declare module 'open-location-code' {
  /** Methods are of instances, unlike in the types that are published. */
  class OpenLocationCode {
    isFull(code: string): boolean
    decode(code: string): { readonly latitudeCenter: number; readonly longitudeCenter: number }
  }
  const codes: { readonly OpenLocationCode: typeof OpenLocationCode }
  export default codes
}

declare module 'email-providers' {
  /** Domains with addresses of anybody. */
  const domains: readonly string[]
  export default domains
}
