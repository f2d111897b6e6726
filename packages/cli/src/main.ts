import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createClient } from '@swath/client/client.ts'
import { manifest, type OperationId } from '@swath/client/operations.ts'
import { ApiProblem } from '@swath/client/problem.ts'
import { createTokenSource } from '@swath/client/tokens.ts'

const usage = `npm run op -- <operation> ['{"json": "input"}'] [--out FILE] [--key IDEMPOTENCY_KEY]
npm run op -- ops [word]

Signs in with SWATH_ADDRESS, SWATH_USERNAME and SWATH_PASSWORD, or as the first user of the server that uses .data.`

interface ServerCredentials {
  readonly address: string
  readonly username: string
  readonly password: string
}

/** Server and credentials: from the environment, or else the initial credentials of a local server. */
async function readCredentials(environment: NodeJS.ProcessEnv): Promise<ServerCredentials> {
  const { SWATH_ADDRESS: address, SWATH_USERNAME: username, SWATH_PASSWORD: password } = environment
  if (address && username && password) return { address, username, password }
  const path = join(environment['SWATH_DATA_DIR'] ?? '.data', 'first-credentials.json')
  return JSON.parse(await readFile(path, 'utf8')) as ServerCredentials
}

function listOperations(prefix: string | undefined): void {
  for (const [id, [effect]] of Object.entries(manifest)) {
    if (!prefix || id.startsWith(`${prefix}.`)) console.log(`${id.padEnd(44)} ${effect}`)
  }
}

async function callOperation(id: string, input: object, options: { out?: string; key?: string }): Promise<void> {
  const { address, username, password } = await readCredentials(process.env)
  const client = createClient({ baseUrl: address, token: createTokenSource(address, { username, password }) })
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

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { out: { type: 'string' }, key: { type: 'string' } },
  })
  const [id, text] = positionals
  if (id === undefined) console.log(usage)
  else if (id === 'ops') listOperations(text)
  else await callOperation(id, text === undefined ? {} : (JSON.parse(text) as object), values)
}

try {
  await main()
} catch (error) {
  console.error(
    error instanceof ApiProblem
      ? JSON.stringify(error.document, null, 2)
      : error instanceof Error
        ? error.message
        : error,
  )
  process.exitCode = 1
}
