import { Option, type Command } from 'commander'
import { readFile } from 'node:fs/promises'
import { text as readStream } from 'node:stream/consumers'
import type { CommandContext } from '../context.ts'
import { usageFailure } from '../failures.ts'
import type { OperationEntry, OperationField } from './operation-table.ts'

/** Options that commands of operations have besides the members of the input. */
const commonFlags = new Set([
  'all', 'address', 'csv', 'curl', 'geojson', 'help', 'idempotency-key', 'input', 'json', 'ndjson', 'out', 'profile', 'query', 'table', 'yes',
]) // prettier-ignore

/** The flag of a member: `workspaceId` is `workspace-id`. One that is an option of the command itself has the prefix `input-`. */
export function toFlagName(field_name: string): string {
  const name = field_name.replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2').replaceAll('_', '-').toLowerCase() // prettier-ignore
  return commonFlags.has(name) ? `input-${name}` : name
}

/** Declares the flags of an operation. */
export function addFieldFlags(command: Command, { fields }: OperationEntry): void {
  for (const field of fields) for (const option of toOptions(field)) command.addOption(option)
}

function toOptions(field: OperationField): Option[] {
  const flag = toFlagName(field.name)
  const description = describeField(field)
  if (field.kind === 'boolean' && !field.list) {
    const [on, off] = [new Option(`--${flag}`, description), new Option(`--no-${flag}`, description)]
    return field.default === true ? [on.hideHelp(), off] : [on, off.hideHelp()]
  }
  const option = new Option(`--${flag} <${placeholderOf(field)}>`, description)
  if (field.choices) option.choices([...field.choices])
  if (field.list) option.argParser<string[]>((text, previous) => [...(previous ?? []), ...splitList(field, text)])
  return [option]
}

/** Numbers and choices may stand in one text with commas: `--bbox 11,46,12,47`. */
const splitList = (field: OperationField, text: string): string[] =>
  field.kind === 'string' && !field.choices ? [text] : text.split(',')

const placeholderOf = (field: OperationField): string =>
  field.choices ? 'choice' : field.kind === 'json' ? 'json|@file' : field.name.endsWith('_id') ? 'id' : field.kind

/** The description with what the value may be. */
function describeField({ description = '', required, default: value, list, kind }: OperationField): string {
  const notes = [
    ...(required ? ['required'] : []),
    ...(list ? ['may be repeated'] : []),
    ...(value === undefined || kind === 'boolean' ? [] : [`default ${JSON.stringify(value)}`]),
  ]
  return [description, notes.length > 0 ? `(${notes.join('; ')})` : ''].filter((part) => part !== '').join(' ')
}

/**
 * The input of an operation: the JSON of `--input`, then the flags, which replace its members. Throws a usage failure for what cannot
 * be read and for required members that are missing.
 */
export async function readOperationInput(
  command: Command,
  entry: OperationEntry,
  context: CommandContext,
): Promise<Record<string, unknown>> {
  const given = command.opts<{ input?: string }>().input
  const input = given === undefined ? {} : await readJson(context, given, '--input')
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    throw usageFailure('--input must be a JSON object.')
  const fields = await Promise.all(
    entry.fields.map(async (field) => [field.name, await readFieldValue(command, field, context)] as const),
  )
  const merged = { ...input, ...Object.fromEntries(fields.filter(([, value]) => value !== undefined)) }
  const missing = entry.fields.filter(({ name, required }) => required && !(name in merged))
  if (missing.length > 0)
    throw usageFailure(`${missing.map(({ name }) => `--${toFlagName(name)}`).join(' and ')} must be given; --help describes ${missing.length > 1 ? 'them' : 'it'}.`) // prettier-ignore
  return merged
}

async function readFieldValue(command: Command, field: OperationField, context: CommandContext): Promise<unknown> {
  const name = toOptionKey(toFlagName(field.name))
  const value: unknown = command.opts()[name]
  if (value === undefined || command.getOptionValueSource(name) !== 'cli') return undefined
  if (Array.isArray(value)) return value.map((text) => toScalar(field, String(text)))
  if (typeof value === 'boolean') return value
  if (field.kind === 'json') return readJson(context, String(value), `--${toFlagName(field.name)}`)
  return toScalar(field, String(value))
}

/** The name that commander gives the value of a flag. */
const toOptionKey = (flag: string): string => flag.replaceAll(/-([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase()) // prettier-ignore

function toScalar({ name, kind, choices, nullable }: OperationField, text: string): unknown {
  if (nullable && text === 'null') return null
  if (choices && !choices.includes(text))
    throw usageFailure(`--${toFlagName(name)} must be one of ${choices.join(', ')}, not "${text}".`)
  if (kind === 'string') return text
  const value = Number(text)
  const isValid = text.trim() !== '' && (kind === 'integer' ? Number.isSafeInteger(value) : Number.isFinite(value))
  if (!isValid) throw usageFailure(`--${toFlagName(name)} must be ${kind === 'integer' ? 'an integer' : 'a number'}, not "${text}".`) // prettier-ignore
  return value
}

/** JSON from a text, from a file (`@file`, or a path that does not begin as JSON), or from the standard input (`-`). */
export async function readJson(context: CommandContext, text: string, flag: string): Promise<unknown> {
  const source = await readSource(context, text, flag)
  try {
    return JSON.parse(source)
  } catch (error) {
    throw usageFailure(`${flag} is not JSON: ${(error as Error).message}. For example: '{"limit": 10}', @file.json, or - for the standard input.`) // prettier-ignore
  }
}

async function readSource({ stdin }: CommandContext, text: string, flag: string): Promise<string> {
  if (text === '-' || text === '@-') return readStream(stdin)
  if (/^\s*([[{"]|-?\d|true$|false$|null$)/.test(text)) return text
  const path = text.startsWith('@') ? text.slice(1) : text
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw usageFailure(`${flag}: ${path} is neither JSON nor a file that can be read (${(error as NodeJS.ErrnoException).code}).`) // prettier-ignore
  }
}
