import { usageFailure } from '../failures.ts'
import { Command } from 'commander'
import { fileSource, uploadStateFile } from '@swath/client/node/file-source.ts'
import { uploadFile } from '@swath/client/transfer/upload-file.ts'
import { createHash } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { CommandContext } from '../context.ts'
import { findDefaultProject } from '../catalog/default-project.ts'
import { createProgress } from '../output/progress.ts'
import {
  addConnectionOptions,
  withConnection,
  type ConnectionOptions,
  type OpenConnection,
} from '../profiles/open-connection.ts'
import { findConfigFolder } from '../profiles/private-file.ts'
import { addOutputOptions, writeOutput, type OutputOptions } from '../output/write-output.ts'
import { waitForEntity } from './wait.ts'

interface UploadCommandOptions extends ConnectionOptions, OutputOptions {
  readonly project?: string
  readonly collection?: string
  readonly item?: string
  readonly assetKey?: string
  readonly categorical?: boolean
  readonly wait: boolean
}

/** `swath upload`: files in parts that go on after a crash, and the wait for their items. */
export function registerUpload(command: Command, context: CommandContext): void {
  command
    .argument('<files...>', 'rasters or vectors')
    .option('--project <id>', 'the project (default: your oldest)')
    .option('--collection <id>', 'the collection of the new items')
    .option('--item <id>', 'attach the file to this item, under --asset-key')
    .option('--asset-key <key>', 'the key of the new asset')
    .option('--categorical', 'the raster has classes')
    .option('--no-wait', 'do not wait for the items')
    .addHelpText('after', '\nExample:\n  $ swath upload scene.tif --collection COLLECTION_ID')
  addConnectionOptions(addOutputOptions(command))
  command.action(async (paths: string[]) => {
    const options = command.opts<UploadCommandOptions>()
    await withConnection(context, options, async (open) => {
      const sessions: unknown[] = []
      for (const path of paths) sessions.push(await uploadOne(context, open, path, options))
      await writeOutput(context, options, sessions, ['id', 'status', 'bytes_uploaded', 'item_ids'])
    })
  })
}

async function uploadOne(
  context: CommandContext,
  { client, connection }: OpenConnection,
  path: string,
  options: UploadCommandOptions,
): Promise<unknown> {
  // prettier-ignore
  const project_id = options.project ?? (await findDefaultProject(client))
  const source = await fileSource(path).catch((error: NodeJS.ErrnoException) => {
    throw usageFailure(`${path} cannot be read (${error.code ?? error.message}).`)
  })
  const target = {
    project_id,
    ...(options.collection ? { target_collection_id: options.collection } : {}),
    ...(options.item ? { target_item_id: options.item } : {}),
    ...(options.assetKey ? { asset_key: options.assetKey } : {}),
    ...(options.categorical ? { is_categorical: true } : {}),
  }
  const progress = createProgress(context, `Uploading ${source.name}`)
  try {
    const session = await uploadFile(client, source, target, {
      state: uploadStateFile(await findStatePath(context, JSON.stringify([connection.address, resolve(path), target]))),
      onProgress: ({ sent_bytes }) => progress.update(sent_bytes, source.size),
    })
    progress.end()
    return options.wait ? await waitForEntity(context, client, { kind: 'upload', id: session.id }) : session
  } finally {
    progress.end()
  }
}

/** Where the session of an upload is remembered, so that the same command goes on after a crash. */
async function findStatePath({ env }: CommandContext, identity: string): Promise<string> {
  const folder = join(findConfigFolder(env), 'uploads')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  return join(folder, createHash('sha256').update(identity).digest('hex').slice(0, 32))
}
