import { Command } from 'commander'
import type { CommandContext } from '../context.ts'
import { parseDuration } from '../catalog/durations.ts'
import { addConnectionOptions, withConnection, type ConnectionOptions } from '../profiles/open-connection.ts'
import { addOutputOptions, writeOutput, type OutputOptions } from '../output/write-output.ts'
import { usageFailure } from '../failures.ts'
import { findEntity } from '../transfers/find-entity.ts'

interface TilesOptions extends ConnectionOptions, OutputOptions {
  readonly expires: string
  readonly name: string
}

/** `swath tiles`: URLs of the tiles of an item for map programs, with a tile token of their own. */
export function registerTiles(command: Command, context: CommandContext): void {
  command
    .argument('<item>', 'the id of an item, or of a collection')
    .option('--expires <duration>', 'the lifetime of the token, such as 12h or 30d', '7d')
    .option('--name <text>', 'where the token is used', 'swath tiles')
    .addHelpText('after', '\nThe URLs have a token in them: who has one sees the tiles until it expires (swath items tile token revoke ends it).\n\nExample:\n  $ swath tiles ITEM_ID --query tiles') // prettier-ignore
  addConnectionOptions(addOutputOptions(command))
  command.action(async (id: string) => {
    const options = command.opts<TilesOptions>()
    const expires_in_seconds = parseDuration(options.expires, '--expires')
    await withConnection(context, options, async ({ client }) => {
      const { kind } = await findEntity(client, [id], ['item', 'collection'])
      const subject = kind === 'item' ? { item_id: id } : { collection_id: id }
      const token = await client.call('items.tile.token.create', { ...subject, name: options.name, expires_in_seconds })
      if (kind === 'item' && token.urls === null) throw usageFailure('The item has no tiles.')
      await writeOutput(context, options, { ...token.urls, token: token.token, expires_at: token.expires_at })
    })
  })
}
