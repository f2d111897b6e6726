import { usersTokensCreateOperation } from '@swath/contract/operations/users.tokens.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { createPersonalToken } from '../../identity/personal-tokens/personal-tokens.ts'

export const handler = defineHandler(usersTokensCreateOperation, createPersonalToken)
