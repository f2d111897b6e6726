import { settings } from '../../packages/server/src/platform/settings.ts'
import type { Setting } from '../../packages/server/src/platform/setting-kinds.ts'

export const configurationPath = 'docs/configuration.md'

const cell = (text: string): string => text.replaceAll('|', '\\|')

function row(setting: Setting<unknown>): string {
  const fallback = setting.fallback === '' ? '' : `\`${setting.fallback}\``
  const meaning = setting.secret ? `${setting.meaning} *Secret: never logged.*` : setting.meaning
  return `| \`${setting.name}\` | ${cell(setting.kind.name)} | ${fallback} | ${cell(meaning)} |`
}

/** The page that lists every setting of the server, out of its table. */
export function printConfiguration(): string {
  const rows: readonly Setting<unknown>[] = Object.values(settings)
  const groups = [...new Set(rows.map((setting) => setting.group))]
  const parts = groups.map((group) =>
    [
      `## ${group}`,
      '',
      '| Name | Takes | Default | Meaning |',
      '| --- | --- | --- | --- |',
      ...rows.filter((setting) => setting.group === group).map(row),
    ].join('\n'),
  )
  const introduction = [
    '# Configuration',
    '',
    'Printed from `packages/server/src/platform/settings.ts` by `npm run generate`; do not edit.',
    '',
    'The server reads these names from its environment once, at start. A value that cannot be read stops the start, and all such faults are reported together. An empty value counts as unset.',
  ]
  return `${[introduction.join('\n'), ...parts].join('\n\n')}\n`
}
