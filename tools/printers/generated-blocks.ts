/**
 * Pages that are written by hand and contain generated tables. A block begins with `<!-- generated: name -->` and ends
 * with `<!-- end of name -->`; the text between them is replaced.
 */
export type BlockPrinters = Readonly<Record<string, () => string>>

const blockPattern = /<!-- generated: ([a-z-]+) -->\n[\s\S]*?<!-- end of \1 -->/g
const markerPattern = /<!-- (?:generated:|end of) [^>]*-->/g

export interface FilledPage {
  readonly text: string
  /** The names of its blocks, in their order. */
  readonly blocks: readonly string[]
}

/** The page with all its blocks printed again. Throws for a block without a printer, and for one without its end. */
export function fillBlocks(page: string, text: string, printers: BlockPrinters): FilledPage {
  const blocks: string[] = []
  const filled = text.replace(blockPattern, (_, name: string) => {
    const print = Object.hasOwn(printers, name) ? printers[name] : undefined
    if (print === undefined) throw new Error(`${page}: nothing prints the block "${name}".`)
    blocks.push(name)
    return `<!-- generated: ${name} -->\n\n${print().trim()}\n\n<!-- end of ${name} -->`
  })
  const markers = filled.match(markerPattern)?.length ?? 0
  if (markers !== 2 * blocks.length) throw new Error(`${page}: a generated block has no beginning or no end.`)
  return { text: filled, blocks }
}

/** A Markdown table. */
export function printTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

/** The word as code. */
export const code = (word: string): string => `\`${word}\``

/** The words as code, separated by commas; a dash if there are none. */
export const codeList = (words: readonly string[]): string => (words.length === 0 ? '-' : words.map(code).join(', '))
