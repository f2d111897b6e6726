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
    fail: { type: 'boolean', short: 'f' },
    header: { ...text, short: 'H' },
    data: { ...text, short: 'd' },
    'data-urlencode': text,
  },
})
const encoded = values['data-urlencode'].map((pair) => {
  const at = pair.indexOf('=') + 1
  return pair.slice(0, at) + encodeURIComponent(pair.slice(at))
})
const parts = [...values.data, ...encoded]
const headers = new Headers(values.header.map((line) => line.split(/: (.*)/).slice(0, 2)))
if (parts.length > 0 && !headers.has('content-type')) headers.set('content-type', 'application/x-www-form-urlencoded')
const sent = parts.length > 0 ? { method: 'POST', body: parts.join('&') } : {}
fetch(positionals[0], { headers, ...sent }).then(async (answer) => {
  if (values.fail && !answer.ok) process.exitCode = 22
  else process.stdout.write(await answer.text())
})
`

/** sed with one substitution of a basic regular expression. */
const sed = `#!/usr/bin/env node
const [, pattern, replacement] = process.argv[2].split('/')
const expression = new RegExp(pattern.replace(/\\\\([()])/g, '$1'))
const lines = require('node:fs').readFileSync(0, 'utf8').replace(/\\n$/, '').split('\\n')
for (const line of lines) console.log(line.replace(expression, replacement.replace(/\\\\(\\d)/g, '$$$1')))
`

/**
 * Writes commands into `folder` that a machine with only Node may lack, and returns a PATH that finds them first. So the
 * quoting of printed commands is tested with a real shell on every machine.
 */
export async function pathWithCommands(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true })
  for (const [name, script] of Object.entries({ curl, sed }))
    await writeFile(join(folder, name), script, { mode: 0o755 })
  return folder + delimiter + (process.env['PATH'] ?? '')
}
