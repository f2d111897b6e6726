import { Command } from 'commander'
import { toSafeName } from '@swath/client/transfer/safe-names.ts'
import { readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { writeMessage, type CommandContext } from '../context.ts'
import { requireConsent } from '../operations/confirm-effect.ts'
import { addConnectionOptions, withConnection, type ConnectionOptions } from '../profiles/open-connection.ts'
import { addOutputOptions, writeOutput, type OutputOptions } from '../output/write-output.ts'
import { describeFiles, downloadableKinds, downloadEntity, toFileRows } from '../transfers/download-entity.ts'
import { findEntity } from '../transfers/find-entity.ts'

interface SyncOptions extends ConnectionOptions, OutputOptions {
  readonly delete?: boolean
  readonly yes?: boolean
  readonly fast?: boolean
}

/** The files that earlier calls have put into a folder; no others are ever deleted. */
const manifestName = '.swath-sync.json'

interface SyncManifest {
  readonly source: string
  readonly files: readonly string[]
}

/** `swath sync`: a folder becomes what an order, a collection or a project has. */
export function registerSync(command: Command, context: CommandContext): void {
  command
    .argument('<folder>', 'the folder')
    .argument('<id...>', `an id, with its kind in front if you like: ${downloadableKinds.join(', ')}`)
    .option('--delete', 'delete files that an earlier sync has put there and that are not in the source any more')
    .option('--yes', 'do not ask before deleting')
    .option('--fast', 'trust files of the right size instead of verifying their checksums')
    .addHelpText('after', '\nExample:\n  $ swath sync scenes project PROJECT_ID --delete')
  addConnectionOptions(addOutputOptions(command))
  command.action((folder: string, words: string[]) => sync(context, folder, words, command.opts<SyncOptions>()))
}

async function sync(
  context: CommandContext,
  folder: string,
  words: readonly string[],
  options: SyncOptions,
): Promise<void> {
  // prettier-ignore
  await withConnection(context, options, async ({ client }) => {
    const entity = await findEntity(client, words, downloadableKinds)
    const files = await downloadEntity(context, client, entity, { folder, verify: options.fast ? 'size' : 'checksum' })
    const source = `${entity.kind} ${entity.id}`
    const present = toFileRows(files).map(({ path }) => path)
    const former = await readManifest(folder)
    // Another sync of this folder may need a file, too.
    const needed = new Set([...present, ...former.filter((entry) => entry.source !== source).flatMap(({ files: others }) => others)]) // prettier-ignore
    const surplus = former.filter((entry) => entry.source === source).flatMap((entry) => entry.files).filter((path) => !needed.has(path)) // prettier-ignore
    const kept = options.delete ? await deleteFiles(context, folder, surplus, options) : surplus
    await writeManifest(folder, [...former.filter((entry) => entry.source !== source), { source, files: [...present, ...kept] }]) // prettier-ignore
    await writeOutput(context, options, toFileRows(files), ['path', 'state', 'bytes'])
    writeMessage(context, describeFiles(files, folder))
    if (kept.length > 0) writeMessage(context, `${kept.length} files are not in the source any more; --delete removes them.`) // prettier-ignore
  })
}

async function readManifest(folder: string): Promise<SyncManifest[]> {
  try {
    const entries: unknown = JSON.parse(await readFile(join(folder, manifestName), 'utf8'))
    return Array.isArray(entries) ? entries.flatMap(checkManifest) : []
  } catch {
    return []
  }
}

/** What a list says that may have come from somebody else: paths that could leave the folder are left out. */
function checkManifest(entry: unknown): SyncManifest[] {
  const { source, files } = (entry ?? {}) as Partial<SyncManifest>
  if (typeof source !== 'string' || !Array.isArray(files)) return []
  return [{ source, files: files.filter(isInside) }]
}

const isInside = (path: unknown): path is string =>
  typeof path === 'string' && path !== '' && path.split('/').every((name) => toSafeName(name) === name)

/** False if a folder on the way is a link to another place. */
async function isBelow(folder: string, path: string): Promise<boolean> {
  const [root, parent] = await Promise.all([realpath(folder), realpath(dirname(join(folder, path))).catch(() => null)])
  return parent !== null && (parent === root || parent.startsWith(`${root}${sep}`))
}

const writeManifest = (folder: string, manifests: readonly SyncManifest[]): Promise<void> =>
  writeFile(join(folder, manifestName), `${JSON.stringify(manifests, null, 1)}\n`)

/** Deletes files after the person agreed; returns those that remain. */
async function deleteFiles(
  context: CommandContext,
  folder: string,
  paths: readonly string[],
  { yes }: SyncOptions,
): Promise<readonly string[]> {
  // prettier-ignore
  if (paths.length === 0) return []
  await requireConsent(context, yes === true, `Delete ${paths.length} files of ${folder}, such as ${paths[0]}?`)
  for (const path of paths) if (await isBelow(folder, path)) await rm(join(folder, path), { force: true })
  writeMessage(context, `${paths.length} files deleted.`)
  return []
}
