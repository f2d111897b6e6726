import { writeFile } from 'node:fs/promises'
import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import { manifest, type OperationId } from '@swath/client/operations.ts'
import {
  describeFailure,
  findServerDataFolder,
  requiresSignedInUser,
  isSignInRefused,
  createSignedInClient,
  readServerConnection,
  readFirstCredentials,
  type ServerConnection,
} from './connection.ts'

const usage = `npm run op -- <operation> ['{"json": "input"}'] [--out FILE] [--key IDEMPOTENCY_KEY]
npm run op -- ops [word]

Calls with SWATH_ADDRESS and SWATH_KEY (an API key), or SWATH_USERNAME and SWATH_PASSWORD; without them the server that
uses .data, with the terminal's key of it (npm run key makes a new one). A user with a second factor is asked for a
code of it, or sets SWATH_OTP.`

function listOperations(prefix: string | undefined): void {
  for (const [id, [effect]] of Object.entries(manifest)) {
    if (!prefix || id.startsWith(`${prefix}.`)) console.log(`${id.padEnd(44)} ${effect}`)
  }
}

interface CallOptions {
  readonly out?: string
  readonly key?: string
}

/** Calls with the terminal's key; as the first user what only a person may call, as long as the first password is valid. */
async function callOperation(id: string, input: object, options: CallOptions): Promise<void> {
  const connection = await readServerConnection(process.env)
  try {
    await printResponse(connection, id, input, options)
  } catch (error) {
    if (connection.source !== 'terminal key' || !requiresSignedInUser(error)) throw sentence(error, connection)
    const person = await readFirstCredentials(findServerDataFolder(process.env)).catch(() => null)
    if (!person) throw sentence(error, connection)
    await printResponse(person, id, input, options).catch((failure: unknown) => {
      throw isSignInRefused(failure) ? sentence(error, connection) : sentence(failure, person)
    })
  }
}

const sentence = (error: unknown, connection: ServerConnection): Error =>
  new Error(describeFailure(error, connection), { cause: error })

async function printResponse(
  connection: ServerConnection,
  id: string,
  input: object,
  options: CallOptions,
): Promise<void> {
  const client = createSignedInClient(connection, askForOtp)
  const responseKind = Object.hasOwn(manifest, id) ? manifest[id as OperationId][2] : 'json'
  if (responseKind === 'ndjson' && !options.out) {
    for await (const line of client.lines(id, input)) console.log(JSON.stringify(line))
  } else if (responseKind !== 'json') {
    const bytes = await client.bytes(id, input)
    if (options.out) await writeFile(options.out, bytes)
    else process.stdout.write(bytes)
  } else {
    const callOptions = options.key ? { idempotencyKey: options.key } : {}
    console.log(JSON.stringify(await client.call<unknown>(id, input, callOptions), null, 2))
  }
}

/** The code of the environment, or the one that is entered in a terminal; null without either. */
async function askForOtp(): Promise<string | null> {
  const { SWATH_OTP: given } = process.env
  if (given) return given
  if (!process.stdin.isTTY) return null
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return (await terminal.question('Code of the second factor: ')).trim() || null
  } finally {
    terminal.close()
  }
}

function parseInput(text: string): object {
  try {
    return JSON.parse(text) as object
  } catch (error) {
    throw new Error(`The input is not JSON: ${(error as Error).message}. For example: '{"limit": 10}'`, {
      cause: error,
    })
  }
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { out: { type: 'string' }, key: { type: 'string' } },
  })
  const [id, text] = positionals
  if (id === undefined) console.log(usage)
  else if (id === 'ops') listOperations(text)
  else await callOperation(id, text === undefined ? {} : parseInput(text), values)
}

try {
  await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
