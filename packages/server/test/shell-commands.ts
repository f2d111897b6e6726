import { mkdir, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'

/** The subset of curl that the commands printed at start use. */
const curl = `#!/usr/bin/env node
const { parseArgs } = require('node:util')
const text = { type: 'string', multiple: true, default: [] }
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    silent: { type: 'boolean', short: 's' },
    'show-error': { type: 'boolean', short: 'S' },
    'fail-with-body': { type: 'boolean' },
    header: { ...text, short: 'H' },
    data: { ...text, short: 'd' },
  },
})
const headers = new Headers(values.header.map((line) => line.split(/: (.*)/).slice(0, 2)))
const sent = values.data.length > 0 ? { method: 'POST', body: values.data.join('&') } : {}
fetch(positionals[0], { headers, ...sent }).then(async (answer) => {
  if (values['fail-with-body'] && !answer.ok) process.exitCode = 22
  process.stdout.write(await answer.text())
})
`

/**
 * Writes a command into `folder` that a machine with only Node may lack, and returns a PATH that finds it first. So the
 * quoting of printed commands is tested with a real shell on every machine.
 */
export async function pathWithCurl(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'curl'), curl, { mode: 0o755 })
  return folder + delimiter + (process.env['PATH'] ?? '')
}
