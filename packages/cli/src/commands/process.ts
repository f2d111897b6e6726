import { Command } from 'commander'
import { findDefaultProject } from '../catalog/default-project.ts'
import { formatCredits } from '../catalog/prices.ts'
import { writeMessage, type CommandContext } from '../context.ts'
import { CommandFailure, usageFailure } from '../failures.ts'
import { requireConsent } from '../operations/confirm-effect.ts'
import { readJson } from '../operations/flags.ts'
import { createIdempotencyKey } from '../operations/random-values.ts'
import { addConnectionOptions, withConnection, type ConnectionOptions } from '../profiles/open-connection.ts'
import { addOutputOptions, writeOutput, type OutputOptions } from '../output/write-output.ts'
import { readCredits } from './buy.ts'
import { waitForEntity } from './wait.ts'

interface ProcessOptions extends ConnectionOptions, OutputOptions {
  readonly inputs?: string
  readonly set?: string[]
  readonly project?: string
  readonly maxCredits?: string
  readonly dryRun?: boolean
  readonly yes?: boolean
  readonly wait?: boolean
}

/** `swath process`: shows the price of a process, asks, and runs it. */
export function registerProcess(command: Command, context: CommandContext): void {
  command
    .argument('<process>', 'a process (swath processing catalog list)')
    .option('--inputs <json|@file>', 'its inputs as JSON (swath processing catalog get describes them)')
    .option('--set <name=value>', 'one input; JSON or text; may be repeated', (text: string, before: string[] = []) => [
      ...before,
      text,
    ]) // prettier-ignore
    .option('--project <id>', 'the project (default: your oldest)')
    .option('--max-credits <count>', 'refuse a higher price')
    .option('--dry-run', 'check everything and run nothing')
    .option('--yes', 'do not ask')
    .option('--wait', 'wait until it is done')
    .addHelpText('after', '\nExample:\n  $ swath process spectral-index --set item=ITEM_ID --set index=ndvi --wait')
  addConnectionOptions(addOutputOptions(command))
  command.action((id: string) => run(context, id, command.opts<ProcessOptions>()))
}

async function run(context: CommandContext, process_id: string, options: ProcessOptions): Promise<void> {
  const max_credits = readCredits(options.maxCredits)
  const given = options.inputs === undefined ? {} : ((await readJson(context, options.inputs, '--inputs')) as object)
  const inputs = { ...given, ...Object.fromEntries((options.set ?? []).map(parseSetting)) }
  const idempotencyKey = createIdempotencyKey()
  let agreed_credits: number | null = null
  await withConnection(context, options, async ({ client }) => {
    const { credits } = await client.call('processing.catalog.estimate', { process_id, inputs })
    if (max_credits !== null && credits > max_credits)
      throw new CommandFailure('money', `It costs ${formatCredits(credits)}, more than --max-credits ${max_credits}; nothing was run.`) // prettier-ignore
    if (!options.dryRun && credits > 0 && agreed_credits !== credits) {
      await requireConsent(context, options.yes === true, `Run ${process_id} for ${formatCredits(credits)}?`)
      agreed_credits = credits
    }
    const workspaceId = options.project ?? (await findDefaultProject(client))
    const input = { process_id, workspaceId, inputs, max_credits: credits, dry_run: options.dryRun === true }
    const { job } = await client.call<{ job: { id: string } }>('processing.execute', input, { idempotencyKey })
    if (options.dryRun) writeMessage(context, `Nothing was run; it would cost ${formatCredits(credits)}.`)
    const output = options.wait && !options.dryRun ? await waitForEntity(context, client, { kind: 'job', id: job.id }) : job // prettier-ignore
    await writeOutput(context, options, output)
  })
}

/** `name=value`; the value is JSON if it can be read as such, else a text. */
function parseSetting(text: string): [string, unknown] {
  const at = text.indexOf('=')
  if (at < 1) throw usageFailure(`--set needs a name and a value, such as --set index=ndvi, not "${text}".`)
  const value = text.slice(at + 1)
  try {
    return [text.slice(0, at), JSON.parse(value)]
  } catch {
    return [text.slice(0, at), value]
  }
}
