// Prints a port of this machine that nothing listens on.
import { freePort } from '../packages/server/test/free-port.mjs'

process.stdout.write(`${await freePort()}\n`)
