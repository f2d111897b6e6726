import type { Command } from 'commander'
import type { CommandContext } from '../context.ts'

/** The program for some words, with the command that they name. */
export type BuildProgram = (words: readonly string[], context: CommandContext) => Promise<Command>

/** Adds its arguments, options and action to a command. The program is for commands that tell about others. */
export type RegisterCommand = (command: Command, context: CommandContext, buildProgram: BuildProgram) => void
