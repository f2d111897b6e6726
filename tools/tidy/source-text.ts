/** A scanned source file. */
export interface SourceText {
  readonly text: string
  /** Same length as the text, with comments and the content of strings blanked, so that patterns in them do not match. */
  readonly code: string
  readonly comments: readonly string[]
  readonly imports: readonly ImportLine[]
}

export interface ImportLine {
  /** As written: `./store.ts`, `@swath/geo/affine.ts`, `node:fs`. */
  readonly specifier: string
  /** `url` is a file referred to relative to `import.meta`, for a worker or an asset: reached, but not imported. */
  readonly kind: 'import' | 'url'
}

interface SourcePiece {
  readonly kind: 'code' | 'comment' | 'string'
  readonly start: number
  readonly end: number
}

/** After these, and at the start, a slash begins a regular expression rather than a division; `x!` is a value. */
const patternPrefix =
  /(?:^|[(,=:[&|?{};>\n]|(?:^|[^\w)\]])!|\b(?:return|typeof|case|in|of|do|else|void|await|yield))\s*$/

/**
 * Splits a file into code, comments and strings: strings, templates (with code in `${}`), both kinds of comment and regular
 * expressions; an unclosed quote (as in text between tags) ends with its line.
 */
export function readSource(text: string): SourceText {
  const pieces = scan(text)
  const code = pieces
    .map((piece) => {
      const part = text.slice(piece.start, piece.end)
      return piece.kind === 'code' ? part : part.replace(/[^\n]/g, ' ')
    })
    .join('')
  const comments = pieces.filter((piece) => piece.kind === 'comment').map((piece) => text.slice(piece.start, piece.end))
  return { text, code, comments, imports: listImportLines(text, code) }
}

/** A regular expression literal of a file. */
export interface RegexLiteral {
  readonly source: string
  readonly flags: string
  readonly line: number
}

/** The regular expression literals of a file. */
export const readRegexLiterals = (text: string): RegexLiteral[] =>
  scan(text)
    .filter(({ kind, start }) => kind === 'string' && text[start] === '/')
    .map(({ start, end }) => ({
      source: text.slice(start + 1, end - 1),
      flags: /[a-z]*/y.exec(text.slice(end))?.[0] ?? '',
      line: text.slice(0, start).split('\n').length,
    }))

/** A string, or a part of a template between its expressions. */
export interface TextLiteral {
  readonly content: string
  readonly line: number
  /** The code before it, some hundred characters. */
  readonly before: string
}

/** The strings of a file, without its regular expressions. */
export const readTextLiterals = (text: string): TextLiteral[] =>
  scan(text)
    .filter(({ kind, start }) => kind === 'string' && text[start] !== '/')
    .map(({ start, end }) => ({
      content: text.slice(start + 1, end).replace(/(?:['"`]|\$\{)$/, ''),
      line: text.slice(0, start).split('\n').length,
      before: text.slice(Math.max(0, start - 200), start),
    }))

function scan(text: string): SourcePiece[] {
  const pieces: SourcePiece[] = []
  /** Brace depth at which each open template continues. */
  const templates: number[] = []
  let depth = 0
  let codeFrom = 0
  let at = 0
  while (at < text.length) {
    const other = readPieceAt(text, at, templates, depth)
    if (other) {
      pieces.push({ kind: 'code', start: codeFrom, end: at }, other)
      at = other.end
      codeFrom = at
      continue
    }
    if (text[at] === '{') depth += 1
    if (text[at] === '}') depth -= 1
    at += 1
  }
  return [...pieces, { kind: 'code', start: codeFrom, end: text.length }]
}

/** The comment or string that begins here; null if it is code. Updates `templates`. */
function readPieceAt(text: string, at: number, templates: number[], depth: number): SourcePiece | null {
  const character = text[at]!
  const piece = (kind: SourcePiece['kind'], end: number): SourcePiece => ({ kind, start: at, end })
  if (character === "'" || character === '"') return piece('string', findStringEnd(text, at))
  if (character === '`' || (character === '}' && templates.at(-1) === depth)) {
    if (character === '}') templates.pop()
    const end = findTemplateEnd(text, at + 1)
    if (text.startsWith('${', end - 2)) templates.push(depth)
    return piece('string', end)
  }
  if (character !== '/') return null
  if (text[at + 1] === '/') return piece('comment', findEnd(text, '\n', at))
  if (text[at + 1] === '*') return piece('comment', Math.min(text.length, findEnd(text, '*/', at + 2) + 2))
  return patternPrefix.test(text.slice(Math.max(0, at - 12), at)) ? readPatternAt(text, at) : null
}

function findEnd(text: string, mark: string, from: number): number {
  const end = text.indexOf(mark, from)
  return end === -1 ? text.length : end
}

function findStringEnd(text: string, from: number): number {
  const quote = text[from]
  for (let at = from + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1
    else if (text[at] === '\n') return at
    else if (text[at] === quote) return at + 1
  }
  return text.length
}

/** The position after the closing backtick, or after the next `${`. */
function findTemplateEnd(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1
    else if (text[at] === '`') return at + 1
    else if (text.startsWith('${', at)) return at + 2
  }
  return text.length
}

/** Null if the line ends first: then the slash is a division. */
function readPatternAt(text: string, start: number): SourcePiece | null {
  let inClass = false
  for (let at = start + 1; at < text.length && text[at] !== '\n'; at += 1) {
    const character = text[at]
    if (character === '\\') at += 1
    else if (character === '[') inClass = true
    else if (character === ']') inClass = false
    else if (character === '/' && !inClass) return { kind: 'string', start, end: at + 1 }
  }
  return null
}

/** The keywords before the quote are searched in the blanked code, so that text inside a string is not an import. */
function listImportLines(text: string, code: string): ImportLine[] {
  const found: ImportLine[] = []
  const importPrefix = /\b(?:from|import)\s*$|\bimport\s*\(\s*$/
  const urlPrefix = /\bnew\s+URL\s*\(\s*$|\bimport\.meta\.resolve\s*\(\s*$|\bimport\.meta\.dirname\s*,\s*$/
  for (const match of text.matchAll(/'([^'\n]+)'|"([^"\n]+)"/g)) {
    const start = match.index
    // Inside another string or a comment the text before the quote is blanked; otherwise code precedes it.
    const before = code.slice(Math.max(0, start - 40), start)
    const specifier = match[1] ?? match[2]!
    if (importPrefix.test(before)) found.push({ specifier, kind: 'import' })
    else if (urlPrefix.test(before)) found.push({ specifier, kind: 'url' })
  }
  return found
}
