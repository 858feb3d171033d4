import type { Command } from './command.ts';
import { bulk } from './commands/bulk.ts';
import { completion } from './commands/completion.ts';
import { create } from './commands/create.ts';
import { edit } from './commands/edit.ts';
import { history } from './commands/history.ts';
import { list } from './commands/list.ts';
import { login } from './commands/login.ts';
import { logout } from './commands/logout.ts';
import { open } from './commands/open.ts';
import { request } from './commands/request.ts';
import { revoke } from './commands/revoke.ts';
import { show } from './commands/show.ts';
import { submit } from './commands/submit.ts';
import { upload } from './commands/upload.ts';
import { verify } from './commands/verify.ts';

/** The commands, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  create,
  upload,
  request,
  submit,
  open,
  list,
  show,
  history,
  edit,
  revoke,
  bulk,
  verify,
  login,
  logout,
  completion,
];
