import { Command } from 'commander'
import { text as readStream } from 'node:stream/consumers'
import { parseDuration } from '../catalog/durations.ts'
import { usageFailure } from '../failures.ts'
import { writeMessage, type CommandContext } from '../context.ts'
import { createPassword } from '../operations/random-values.ts'
import { addConnectionOptions, withConnection, type ConnectionOptions } from '../profiles/open-connection.ts'
import { addOutputOptions, writeOutput, type OutputOptions } from '../output/write-output.ts'
import { findEntity } from '../transfers/find-entity.ts'

interface ShareOptions extends ConnectionOptions, OutputOptions {
  readonly expires: string
  readonly download?: boolean
  readonly passwordStdin?: boolean
}

/** `swath share ID`: a link with a password to an item or a collection; the operations of sharing are beside it. */
export function registerShare(command: Command, context: CommandContext): void {
  command
    .description('Share an item or a collection by a link with a password; or an operation of sharing.')
    .argument('[id]', 'an item or a collection')
    .option('--expires <duration>', 'the lifetime of the link, such as 12h or 30d', '7d')
    .option('--download', 'visitors may download the files')
    .option('--password-stdin', 'read the password from the standard input (default: a new one, which is printed)')
    .addHelpText('after', '\nExample:\n  $ swath share ITEM_ID --expires 30d --download')
  addConnectionOptions(addOutputOptions(command))
  command.action(async (id: string | undefined) => {
    if (id === undefined) return command.help()
    const options = command.opts<ShareOptions>()
    const seconds = parseDuration(options.expires, '--expires')
    if (Number.isNaN(new Date(Date.now() + seconds * 1000).getTime()))
      throw usageFailure(`--expires ${options.expires} is too long.`)
    const password = options.passwordStdin ? (await readStream(context.stdin)).trim() : createPassword()
    return withConnection(context, options, async ({ client }) => {
      const { kind } = await findEntity(client, [id], ['item', 'collection'])
      const link = await client.call('share.link.create', {
        target_type: kind === 'item' ? 'item' : 'collection',
        target_id: id,
        permission: options.download ? 'download' : 'view',
        password,
        expires_at: new Date(Date.now() + seconds * 1000).toISOString(),
      })
      await writeOutput(context, options, { url: link.url, password: options.passwordStdin ? null : password, expires_at: link.expires_at, id: link.id }) // prettier-ignore
      writeMessage(context, `Anyone with the URL and the password can ${options.download ? 'download' : 'see'} it: send them apart.`) // prettier-ignore
    })
  })
}
