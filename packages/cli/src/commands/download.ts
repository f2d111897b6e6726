import { Command } from 'commander'
import { writeMessage, type CommandContext } from '../context.ts'
import { addConnectionOptions, withConnection, type ConnectionOptions } from '../profiles/open-connection.ts'
import { addOutputOptions, writeOutput, type OutputOptions } from '../output/write-output.ts'
import { describeFiles, downloadableKinds, downloadEntity, toFileRows } from '../transfers/download-entity.ts'
import { findEntity } from '../transfers/find-entity.ts'

/** `swath download`: files of an order, an item, a collection or a project; interrupted ones go on, all are verified. */
export function registerDownload(command: Command, context: CommandContext): void {
  command
    .argument('<id...>', `an id, with its kind in front if you like: ${downloadableKinds.join(', ')}`)
    .option('--to <folder>', 'the folder', '.')
    .addHelpText('after', '\nExample:\n  $ swath download order ORDER_ID --to scenes')
  addConnectionOptions(addOutputOptions(command))
  command.action(async (words: string[]) => {
    const options = command.opts<ConnectionOptions & OutputOptions & { to: string }>()
    await withConnection(context, options, async ({ client }) => {
      const entity = await findEntity(client, words, downloadableKinds)
      const files = await downloadEntity(context, client, entity, { folder: options.to })
      await writeOutput(context, options, toFileRows(files), ['path', 'state', 'bytes'])
      writeMessage(context, describeFiles(files, options.to))
    })
  })
}
