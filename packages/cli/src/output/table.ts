import stringWidth from 'string-width'
import type { TextStyler } from './colours.ts'
import { flattenRow, type Row } from './rows.ts'

export interface TableLayout {
  /** Width of the terminal in columns. */
  readonly width: number
  readonly style: TextStyler
}

/** Members by which a person knows a row, first; the others follow in their order as long as they fit. */
const firstColumns = ['id', 'name', 'title', 'displayName', 'status', 'datetime', 'created_at', 'createdAt']
const max_cell_width = 48
const gap = '  '

/** Prints rows as a table with a head; columns that do not fit the width are left out, and counted in the last line. */
export function printTable(rows: readonly Row[], { width, style }: TableLayout, chosen?: readonly string[]): string {
  if (rows.length === 0) return style('dim', 'None.')
  const flat = rows.map((row) => flattenRow(row))
  const columns = (chosen ?? orderColumns(flat)).map((name) =>
    toColumn(name, flat, chosen ? Number.POSITIVE_INFINITY : max_cell_width),
  )
  const shown = chosen ? columns : fitColumns(columns, width)
  const head = shown.map(({ name, column_width }) => style('bold', pad(name, column_width))).join(gap)
  const lines = flat.map((_row, index) =>
    shown
      .map(({ cells, column_width }) => pad(cells[index]!, column_width))
      .join(gap)
      .trimEnd(),
  )
  const hidden_count = columns.length - shown.length
  const note = hidden_count === 0 ? [] : [style('dim', `${hidden_count} more columns: --json or --csv`)]
  return [head, ...lines, ...note].join('\n')
}

interface Column {
  readonly name: string
  readonly cells: readonly string[]
  readonly column_width: number
}

function toColumn(name: string, rows: readonly Row[], max_width: number): Column {
  const cells = rows.map((row) => toCell(row[name], max_width))
  return { name, cells, column_width: Math.max(...[name, ...cells].map((cell) => stringWidth(cell))) }
}

/** The columns that fit beside each other; always the first. */
function fitColumns(columns: readonly Column[], width: number): Column[] {
  const shown: Column[] = []
  let used = 0
  for (const column of columns) {
    if (shown.length > 0 && used + column.column_width > width) continue
    shown.push(column)
    used += column.column_width + gap.length
  }
  return shown
}

const pad = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - stringWidth(text)))

function toCell(value: unknown, max_width: number): string {
  const text = value === null || value === undefined ? '–' : shortenTime(String(value))
  return shorten(toPlainText(text), max_width)
}

/** On one line, without characters that change the terminal: names are what other people have written. */
const toPlainText = (text: string): string => text.replaceAll(/\s+/g, ' ').replaceAll(/[\p{Cc}\p{Cf}]/gu, '\u{fffd}')

/** A time of the platform as a person writes it: to the minute, midnight as the day. */
const shortenTime = (text: string): string =>
  text.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d):\d\d(\.\d+)?Z$/, (_match, day: string, time: string) => time === '00:00' ? day : `${day} ${time}Z`) // prettier-ignore

const shorten = (text: string, width: number): string => (text.length > width ? `${text.slice(0, width - 1)}…` : text)

/** Only columns with a value; geometries and lists are for programs. */
function orderColumns(rows: readonly Row[]): string[] {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const useful = names.filter((name) =>
    rows.some((row) => row[name] !== null && row[name] !== undefined && !String(row[name]).startsWith('[')),
  )
  const first = firstColumns.filter((name) => useful.includes(name))
  return [...first, ...useful.filter((name) => !first.includes(name))]
}

/** Prints one object, a member on each line. */
export function printMembers(value: Row, { style, width }: TableLayout): string {
  const flat = Object.entries(flattenRow(value))
  const name_width = Math.max(0, ...flat.map(([name]) => name.length))
  const value_width = Math.max(20, width - name_width - gap.length)
  return flat
    .map(
      ([name, member]) =>
        `${style('bold', name.padEnd(name_width))}${gap}${shorten(member === null || member === undefined ? '–' : toPlainText(String(member)), value_width)}`,
    ) // prettier-ignore
    .join('\n')
}
