import type { Command } from 'commander'
import { access, constants, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { CommandContext } from '../context.ts'
import { usageFailure } from '../failures.ts'
import { createStyle } from './colours.ts'
import { printCsv } from './csv.ts'
import { toFeatureCollection } from './geojson.ts'
import { checkQuery, selectByQuery } from './query.ts'
import { findRows, type Row } from './rows.ts'
import type { TableLayout } from './table.ts'

/** The form of an output; a table for people, JSON into pipes. */
type OutputForm = 'table' | 'json' | 'ndjson' | 'geojson' | 'csv'

export interface OutputOptions {
  readonly table?: boolean
  readonly json?: boolean
  readonly ndjson?: boolean
  readonly geojson?: boolean
  readonly csv?: boolean
  readonly query?: string
  readonly out?: string
}

const forms = ['table', 'json', 'ndjson', 'geojson', 'csv'] as const

/** Declares the options of the output, which are checked before the command does anything. */
export const addOutputOptions = (command: Command): Command =>
  command
    .optionsGroup('Output:')
    .option('--json', 'print JSON (the default if the output is not a terminal)')
    .option('--ndjson', 'print one JSON document for each row')
    .option('--csv', 'print CSV')
    .option('--geojson', 'print a GeoJSON feature collection')
    .option('--table', 'print a table (the default on a terminal)')
    .option('--query <expression>', 'print what a JMESPath expression selects')
    .option('--out <file>', 'write the output to a file')
    .hook('preAction', () => checkOutputOptions(command.opts<OutputOptions>()))

/** Writes an output in the form that the options name. `columns` are those of the table. */
export async function writeOutput(
  context: CommandContext,
  options: OutputOptions,
  output: unknown,
  columns?: readonly string[],
): Promise<void> {
  const form = chooseForm(context, options)
  const selected = await select(context, output, options.query)
  const layout = { width: context.stdout.columns || 100, style: createStyle(context.env, context.stdout) }
  try {
    const text =
      options.query !== undefined && form !== 'csv' && isScalar(selected)
        ? String(selected ?? '')
        : await printForm(form, selected, layout, options.query === undefined ? columns : undefined)
    await writeText(context, options.out, text.endsWith('\n') ? text : `${text}\n`)
  } catch (error) {
    // The call was made: its output must not be lost, such as the id of an order or a new key.
    await writeText(context, undefined, `${JSON.stringify(output, null, 2)}\n`)
    throw error
  }
}

/** What the query selects; if it does not fit the output, all of it is written, because the call was made. */
async function select(context: CommandContext, output: unknown, query: string | undefined): Promise<unknown> {
  if (query === undefined) return output
  try {
    return await selectByQuery(output, query)
  } catch (error) {
    await writeText(context, undefined, `${JSON.stringify(output, null, 2)}\n`)
    throw error
  }
}

/** Writes text to the file of `--out`, or to the standard output. */
export async function writeText(
  { stdout }: CommandContext,
  file: string | undefined,
  data: string | Uint8Array,
): Promise<void> {
  // prettier-ignore
  if (file === undefined || file === '-')
    await new Promise<void>((resolve, reject) => {
      stdout.write(data, (error) => (error && (error as NodeJS.ErrnoException).code !== 'EPIPE' ? reject(error) : resolve()))
    })
  else await writeFile(file, data)
}

async function checkOutputOptions(options: OutputOptions): Promise<void> {
  const chosen = forms.filter((form) => options[form])
  if (chosen.length > 1) throw usageFailure(`Choose one form of the output: --${chosen.join(' or --')}.`)
  if (options.query !== undefined) await checkQuery(options.query)
  if (options.out !== undefined && options.out !== '-') await checkOutFile(options.out)
}

/** A file that cannot be written is told before the call, whose output would be lost. */
async function checkOutFile(path: string): Promise<void> {
  try {
    const present = await stat(path).catch(() => null)
    if (present?.isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' })
    await access(present ? path : dirname(path), constants.W_OK)
  } catch (error) {
    throw usageFailure(`--out ${path} cannot be written (${(error as NodeJS.ErrnoException).code}).`)
  }
}

function chooseForm({ stdout }: CommandContext, options: OutputOptions): OutputForm {
  return forms.find((form) => options[form]) ?? (stdout.isTTY && options.out === undefined ? 'table' : 'json')
}

async function printForm(
  form: OutputForm,
  output: unknown,
  layout: TableLayout,
  columns?: readonly string[],
): Promise<string> {
  // prettier-ignore
  const rows = (): readonly Row[] => findRows(output) ?? [isScalar(output) ? { value: output } : (output as Row)]
  switch (form) {
    case 'json':
      return JSON.stringify(output, null, 2)
    case 'ndjson':
      return rows()
        .map((row) => `${JSON.stringify(row)}\n`)
        .join('')
    case 'csv':
      return printCsv(rows())
    case 'geojson':
      return JSON.stringify(toFeatureCollection(output), null, 2)
    case 'table': {
      // Widths of characters are tables that take a while to make.
      const { printMembers, printTable } = await import('./table.ts')
      const found = findRows(output)
      if (found) return printTable(found, layout, columns)
      return isScalar(output) ? String(output ?? '') : printMembers(output as Row, layout)
    }
  }
}

const isScalar = (value: unknown): boolean => typeof value !== 'object' || value === null
