import { Command } from 'commander'
import { canAsk, type CommandContext } from '../context.ts'
import { openInBrowser } from '../login/open-in-browser.ts'
import { addConnectionOptions, withConnection, type ConnectionOptions } from '../profiles/open-connection.ts'
import { findEntity, type EntityKind } from '../transfers/find-entity.ts'

/** The screens of the console that show one thing. */
const screens: Partial<Record<EntityKind, (id: string) => string>> = {
  order: (id) => `/orders/${id}`,
  item: (id) => `/library/items/${id}`,
  project: (id) => `/library/projects/${id}`,
  job: (id) => `/analyse/jobs/${id}`,
}

/** The screens of the console by a word. */
const places = ['explore', 'cart', 'tasking', 'orders', 'library', 'view', 'analyse', 'watch', 'inbox', 'money', 'build', 'team', 'account', 'docs'] // prettier-ignore

/** `swath open`: the console, at a thing or a screen. */
export function registerOpen(command: Command, context: CommandContext): void {
  command
    .argument(
      '[what...]',
      `an id, with its kind in front if you like (${Object.keys(screens).join(', ')}), or a screen: ${places.join(', ')}`,
    ) // prettier-ignore
    .addHelpText('after', '\nThe URL is printed, too.\n\nExamples:\n  $ swath open ORDER_ID\n  $ swath open money')
  addConnectionOptions(command)
  command.action(async (words: string[]) => {
    await withConnection(context, command.opts<ConnectionOptions>(), async ({ client, connection }) => {
      const [word] = words
      const isPlace = word === undefined || (words.length === 1 && places.includes(word))
      const entity = isPlace ? null : await findEntity(client, words, Object.keys(screens) as EntityKind[])
      const url = `${connection.address}${entity ? screens[entity.kind]!(entity.id) : `/${word ?? ''}`}`
      context.stdout.write(`${url}\n`)
      if (canAsk(context)) await openInBrowser(url)
    })
  })
}
