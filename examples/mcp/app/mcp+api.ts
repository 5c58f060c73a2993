import { createMcpRoute } from '../server/mcp-route.ts';
import { createTodoServer } from '../server/todo-server.ts';

export const { GET, POST, DELETE } = createMcpRoute(createTodoServer);
