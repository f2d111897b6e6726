import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { printTable } from './generated-blocks.ts'

const folder = 'packages/server/test/sandbox/stories'

/** One row for each story that the tests run in a sandbox, with a link to its steps. */
export function printSandboxStories(): string {
  const root = join(import.meta.dirname, '..', '..', folder)
  const rows = readdirSync(root).map((name) => {
    const { title, summary, reaches } = JSON.parse(readFileSync(join(root, name), 'utf8')) as Record<string, string>
    return [`[${title}](../../${folder}/${name})`, summary ?? '', reaches ?? '']
  })
  return printTable(['Story', 'What happens', 'Reaches'], rows)
}
