import { Command } from 'commander'
import type { CommandContext } from '../context.ts'
import { addConnectionOptions, withConnection, type ConnectionOptions } from '../profiles/open-connection.ts'
import { addOutputOptions, writeOutput, type OutputOptions } from '../output/write-output.ts'

interface Me {
  readonly kind: string
  readonly user: { readonly email: string; readonly name?: string | null } | null
  readonly organization: { readonly id: string; readonly name: string; readonly sandbox?: boolean } | null
  readonly wallet: { readonly available_credits?: number } | null
}

/** `swath whoami`: the caller, the organization and the server of the next commands. */
export function registerWhoami(command: Command, context: CommandContext): void {
  addConnectionOptions(addOutputOptions(command)).action(async () => {
    const options = command.opts<ConnectionOptions & OutputOptions>()
    await withConnection(context, options, async ({ client, connection }) => {
      const { kind, user, organization, wallet } = await client.call<Me>('users.me')
      await writeOutput(context, options, {
        server: connection.address,
        credentials: connection.profile === null ? connection.source : `profile "${connection.profile}"`,
        kind,
        email: user?.email ?? null,
        organization: organization?.name ?? null,
        organization_id: organization?.id ?? null,
        available_credits: wallet?.available_credits ?? null,
      })
    })
  })
}
