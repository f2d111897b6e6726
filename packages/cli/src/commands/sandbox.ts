import { Command } from 'commander'
import { readFile } from 'node:fs/promises'
import { writeMessage, type CommandContext } from '../context.ts'
import { usageFailure } from '../failures.ts'
import { addConnectionOptions, withConnection, type ConnectionOptions } from '../profiles/open-connection.ts'
import { advanceUntil } from '../sandbox/advance-until.ts'
import { checkStory, runStoryStep } from '../sandbox/run-story.ts'

interface RunOptions extends ConnectionOptions {
  readonly until?: string
  readonly maxDays: string
}

/** `swath sandbox run`: the steps of a file in a sandbox, and then its time until something has happened. */
export function registerSandbox(command: Command, context: CommandContext): void {
  const run = command
    .command('run')
    .description('Run a story in a sandbox, and its clock until something has happened.')
    .argument('<story>', 'a YAML or JSON file with steps')
    .option('--until <what>', 'delivered, a status of the newest order, or a type of events such as order.fulfilled')
    .option('--max-days <days>', 'the days of the sandbox after which --until is given up, with exit code 7', '366')
    .addHelpText('after', `\n${storyHelp}`)
  addConnectionOptions(run)
  run.action((file: string) => runStory(context, file, run.opts<RunOptions>()))
}

const storyHelp = `The file:
  title: A scene is delivered
  steps:
    - text: Find a scene.
      call: catalog.search
      input: { host_name: open, limit: 1 }
      save: { scene: features.0 }
    - text: Order it.
      call: orders.archive.place
      input: { captures: [{ id: "{{scene.id}}", geometry: "{{scene.geometry}}", host: open }] }
      expect: { status: processing }

A step may also have problem (the call must end with it) or events (these have happened).

Example:
  $ swath sandbox run story.yaml --until delivered`

async function parseStory(text: string, file: string): Promise<unknown> {
  const { parse } = await import('yaml')
  try {
    return parse(text)
  } catch (error) {
    throw usageFailure(`${file} is not YAML: ${(error as Error).message.split('\n')[0]}`)
  }
}

async function runStory(context: CommandContext, file: string, options: RunOptions): Promise<void> {
  const max_days = Number(options.maxDays)
  if (!(max_days > 0)) throw usageFailure('--max-days must be a number of days.')
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw usageFailure(`${file} cannot be read (${error.code}).`)
  })
  const story = checkStory(await parseStory(text, file), file)
  await withConnection(context, options, async ({ client }) => {
    // Only a sandbox has this clock: in another organization nothing runs.
    const { organization_id } = await client.call('sandbox.clock.get', {})
    const saved: Record<string, unknown> = { organization: organization_id }
    for (const [index, step] of story.steps.entries()) {
      writeMessage(context, `${index + 1}/${story.steps.length}  ${step.text ?? step.call ?? 'These events have happened.'}`) // prettier-ignore
      await runStoryStep(client, step, saved)
    }
    if (options.until !== undefined) {
      await advanceUntil(client, { until: options.until, max_days, onStep: (now) => writeMessage(context, `       it is ${now}`) }) // prettier-ignore
      writeMessage(context, `Reached: ${options.until}.`)
    }
  })
}
