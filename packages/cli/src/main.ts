import { runCommand } from './run-command.ts'

const { stdin, stdout, stderr } = process

// A reader that has seen enough, such as `head`, closes the pipe; the command goes on to its end and its exit code.
for (const stream of [stdout, stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') process.exit(1)
  })
// npm starts commands in the folder of the project.
if (process.env['INIT_CWD']) process.chdir(process.env['INIT_CWD'])
process.exitCode = await runCommand(process.argv.slice(2), { env: process.env, stdin, stdout, stderr })
