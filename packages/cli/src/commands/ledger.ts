import { Command } from 'commander'
import { writeMessage, type CommandContext } from '../context.ts'
import { CommandFailure } from '../failures.ts'
import { addConnectionOptions, withConnection, type ConnectionOptions } from '../profiles/open-connection.ts'
import { addOutputOptions, writeOutput, type OutputOptions } from '../output/write-output.ts'
import { verifyExport } from '../../../../tools/verify-ledger.mjs'

/** `swath ledger verify`: the journal of the organization, as the server verifies it and as this machine does. */
export function registerLedger(command: Command, context: CommandContext): void {
  const verify = command
    .command('verify')
    .description('Export the journal, verify every entry on this machine, and compare with what the server says.')
    .addHelpText('after', '\nKeep the printed head where nobody else can change it: swath verify ledger FILE --contains HASH proves later that\nnothing before it was changed.') // prettier-ignore
  addConnectionOptions(addOutputOptions(verify))
  verify.action(() => verifyJournal(context, verify.opts<ConnectionOptions & OutputOptions>()))
}

async function verifyJournal(context: CommandContext, options: ConnectionOptions & OutputOptions): Promise<void> {
  await withConnection(context, options, async ({ client }) => {
    const server = await client.call('billing.ledger.verify', {})
    const bytes = await client.bytes('billing.ledger.export', { format: 'ndjson' })
    const own = await verifyExport([bytes])
    // Entries may have been added between the two calls.
    const later = await client.call('billing.ledger.verify', {})
    const isSame = [server.head.hash, later.head.hash].includes(own.head?.hash ?? server.head.hash)
    const faults = [...server.faults.map(({ fault }) => fault), ...own.faults, ...(isSame ? [] : ['the export does not end with the head that the server names'])] // prettier-ignore
    await writeOutput(context, options, { organization_id: own.organization_id, entries: own.entries, head: own.head?.hash ?? null, valid: faults.length === 0, faults }) // prettier-ignore
    if (faults.length > 0) throw new CommandFailure('failure', `The journal has ${faults.length} faults, such as: ${faults[0]}.`) // prettier-ignore
    writeMessage(context, 'Valid: every entry follows from the one before.')
  })
}
