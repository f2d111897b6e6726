import { settings } from '../../packages/server/src/platform/settings.ts'
import type { SettingDefinition } from '../../packages/server/src/platform/setting-types.ts'

export const configurationPath = 'docs/configuration.md'

const cell = (text: string): string => text.replaceAll('|', '\\|')

function row(setting: SettingDefinition<unknown>): string {
  const defaultText = setting.fallback === '' ? '' : `\`${setting.fallback}\``
  const meaning = setting.secret ? `${setting.description} *Secret: never logged.*` : setting.description
  return `| \`${setting.name}\` | ${cell(setting.kind.name)} | ${defaultText} | ${cell(meaning)} |`
}

/** Prints the page that lists every setting of the server. */
export function printConfiguration(): string {
  const rows: readonly SettingDefinition<unknown>[] = Object.values(settings)
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
    'Generated from `packages/server/src/platform/settings.ts` by `npm run generate`; do not edit.',
    '',
    'The server reads these environment variables once, at start. With an invalid value it does not start; all invalid values are reported together. An empty value counts as unset.',
  ]
  return `${[introduction.join('\n'), ...parts].join('\n\n')}\n`
}
